// The two listening sockets: systemd's, or our own. Rules P-SOCK-1 to P-SOCK-8.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::supervisor {

struct SocketSpec {
  // Of lvmd.yaml, for messages.
  std::string key = "socket-name";
  std::string path;
  // Absent: the socket stays root's alone.
  std::optional<gid_t> group;
};

struct ListeningSockets {
  UniqueFd full;
  UniqueFd read_only;
  // None when lvmd.yaml asks for no metrics.
  UniqueFd metrics{};
};

// A new listening socket, mode 0660: as below where there is no systemd.
[[nodiscard]] Result<UniqueFd> listen_on(const SocketSpec& spec);

// systemd's sockets when it passed any (LISTEN_FDS): one of them must be `full.path`, else
// FailedPrecondition naming both; a read-only one that it didn't pass is made. Without systemd both
// are made, mode 0660: a dead lvmd's socket file is replaced, one that answers is
// FailedPrecondition, and so is a file that is no socket.
[[nodiscard]] Result<ListeningSockets> open_listening_sockets(const SocketSpec& full,
                                                              const SocketSpec& read_only);

}  // namespace lvmd::supervisor
