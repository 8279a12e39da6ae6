// The listening sockets, which systemd passes or lvmd creates. Rules P-SOCK-1 to P-SOCK-8, P-CSI-1,
// P-CSI-2.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::supervisor {

struct SocketSpec {
  // The key of lvmd.yaml, for messages.
  std::string key = "socket-name";
  std::string path;
  // Absent: only root may connect.
  std::optional<gid_t> group;
  // The systemd unit that listens there. Empty: systemd need not listen there.
  std::string unit{};
  // Whether lvmd creates the missing folders of the path, with mode 0750.
  bool makes_folders = false;
};

// Creates a listening socket with mode 0660. Replaces the socket file of a process that has ended.
// FailedPrecondition when another process listens there or the file is not a socket.
[[nodiscard]] Result<UniqueFd> listen_on(const SocketSpec& spec);

// Returns one socket for each spec, in their order: the socket that systemd passed for the path
// (LISTEN_FDS), otherwise one created as by listen_on(). If systemd passed any socket, it must have
// passed those of all specs with a unit, otherwise FailedPrecondition naming all paths. Logs a
// warning about a passed socket without a spec. Call it once.
[[nodiscard]] Result<std::vector<UniqueFd>> open_listening_sockets(
    std::span<const SocketSpec> specs);

}  // namespace lvmd::supervisor
