// Who is at the other end of a connection, and whether they may be there [P-SOCK-4].
#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::server {

// As the kernel knew them when the peer connected.
struct PeerCredentials {
  pid_t pid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  // The supplementary groups: a pod's fsGroup and supplementalGroups are here.
  std::vector<gid_t> groups;

  friend bool operator==(const PeerCredentials&, const PeerCredentials&) = default;
};

// `socket` is a connected Unix stream socket.
[[nodiscard]] Result<PeerCredentials> peer_credentials(int socket);

// Root always; everybody else by their primary group or a supplementary one.
[[nodiscard]] bool may_connect(const PeerCredentials& peer, std::span<const gid_t> allowed);

}  // namespace lvmd::server
