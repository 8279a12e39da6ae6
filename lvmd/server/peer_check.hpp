// The credentials of a connection's peer, and whether it may connect [P-SOCK-4].
#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::server {

// As recorded by the kernel when the peer connected.
struct PeerCredentials {
  pid_t pid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  // The supplementary groups. Those of a pod include its fsGroup and supplementalGroups.
  std::vector<gid_t> groups;

  friend bool operator==(const PeerCredentials&, const PeerCredentials&) = default;
};

// The credentials of the peer of `socket`, a connected Unix stream socket.
[[nodiscard]] Result<PeerCredentials> peer_credentials(int socket);

// Root may always connect. Other users may when their primary or a supplementary group is allowed.
[[nodiscard]] bool may_connect(const PeerCredentials& peer, std::span<const gid_t> allowed);

}  // namespace lvmd::server
