#include "lvmd/server/peer_check.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace lvmd::server {
namespace {

Result<std::vector<gid_t>> peer_groups(int socket) {
  // Most processes have few groups. When they don't fit, the kernel returns the number of groups.
  std::vector<gid_t> groups(32);
  for (;;) {
    auto size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0) {
      groups.resize(size / sizeof(gid_t));
      return groups;
    }
    if (errno != ERANGE || size / sizeof(gid_t) <= groups.size())
      return fail_errno(errno, "SO_PEERGROUPS of a connection");
    groups.resize(size / sizeof(gid_t));
  }
}

}  // namespace

Result<PeerCredentials> peer_credentials(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return fail_errno(errno, "SO_PEERCRED of a connection");
  auto groups = peer_groups(socket);
  if (!groups) return std::unexpected(groups.error());
  return PeerCredentials{.pid = credentials.pid,
                         .uid = credentials.uid,
                         .gid = credentials.gid,
                         .groups = std::move(*groups)};
}

bool may_connect(const PeerCredentials& peer, std::span<const gid_t> allowed) {
  const auto is_allowed = [allowed](gid_t group) {
    return std::ranges::find(allowed, group) != allowed.end();
  };
  return peer.uid == 0 || is_allowed(peer.gid) || std::ranges::any_of(peer.groups, is_allowed);
}

}  // namespace lvmd::server
