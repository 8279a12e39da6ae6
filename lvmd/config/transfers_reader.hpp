// Reads `transfers` of lvmd.yaml.
#pragma once

#include "lvmd/config/mapping.hpp"
#include "lvmd/config/transfers.hpp"

namespace lvmd::config {

// The defaults where `root` says nothing; what is wrong has been reported.
[[nodiscard]] Transfers read_transfers(Mapping& root);

}  // namespace lvmd::config
