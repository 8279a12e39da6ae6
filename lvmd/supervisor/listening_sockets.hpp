// The listening sockets, which systemd passes or lvmd creates. Rules P-SOCK-1 to P-SOCK-8.
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
};

// Creates a listening socket with mode 0660. Replaces the socket file of a process that has ended.
// FailedPrecondition when another process listens there or the file is not a socket.
[[nodiscard]] Result<UniqueFd> listen_on(const SocketSpec& spec);

// Returns one socket for each spec, in their order: the socket that systemd passed for the path
// (LISTEN_FDS), otherwise one created as by listen_on(). If systemd passed any socket, one of them
// must be for the first spec, otherwise FailedPrecondition naming all paths. Call it once.
[[nodiscard]] Result<std::vector<UniqueFd>> open_listening_sockets(
    std::span<const SocketSpec> specs);

}  // namespace lvmd::supervisor
