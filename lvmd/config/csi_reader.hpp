// Reads `csi` of lvmd.yaml.
#pragma once

#include <optional>

#include "lvmd/config/csi_settings.hpp"
#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// `root` is the mapping of the whole file. Absent when the file has no `csi`: lvmd is then no CSI
// driver. Settings that are absent have their defaults. Reports errors and warnings there.
[[nodiscard]] std::optional<CsiSettings> read_csi(Mapping& root);

}  // namespace lvmd::config
