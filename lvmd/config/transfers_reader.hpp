// Reads `transfers` of lvmd.yaml.
#pragma once

#include "lvmd/config/mapping.hpp"
#include "lvmd/config/transfer_settings.hpp"

namespace lvmd::config {

// `root` is the mapping of the whole file. Settings that are absent have their defaults. Reports
// errors and warnings there.
[[nodiscard]] TransferSettings read_transfers(Mapping& root);

}  // namespace lvmd::config
