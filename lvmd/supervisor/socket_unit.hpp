// Compares lvmd.yaml's `csi` with the systemd unit of its sockets [P-CLI-10].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/csi_settings.hpp"

namespace lvmd::supervisor {

inline constexpr const char* kCsiSocketUnit = "lvmd-csi.socket";

// Returns the paths on which systemd listens for the unit, or will when it is started. Absent when
// systemd has no such unit, or when there is no systemd. Blocks for at most a few seconds.
[[nodiscard]] std::optional<std::vector<std::string>> paths_of_socket_unit(const std::string& unit);

// Returns what differs and how to correct it, or nothing. `paths` are those of kCsiSocketUnit.
// Pure.
[[nodiscard]] std::optional<std::string> compare_with_socket_unit(
    const config::CsiSettings& csi, const std::vector<std::string>& paths);

}  // namespace lvmd::supervisor
