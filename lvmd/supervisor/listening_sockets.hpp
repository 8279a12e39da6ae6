// The two listening sockets, which systemd passes or lvmd creates. Rules P-SOCK-1 to P-SOCK-8.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

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

struct ListeningSockets {
  UniqueFd full;
  UniqueFd read_only;
  // Empty when no metrics are served.
  UniqueFd metrics{};
};

// Creates a listening socket with mode 0660. Replaces the socket file of a process that has ended.
// FailedPrecondition when another process listens there or the file is not a socket.
[[nodiscard]] Result<UniqueFd> listen_on(const SocketSpec& spec);

// Returns the sockets passed by systemd (LISTEN_FDS), if any: one of them must be `full.path`,
// otherwise FailedPrecondition naming both paths; a read-only socket that was not passed is
// created. Without systemd both are created as by listen_on().
[[nodiscard]] Result<ListeningSockets> open_listening_sockets(const SocketSpec& full,
                                                              const SocketSpec& read_only);

}  // namespace lvmd::supervisor
