#include "lvmd/server/peer_table.hpp"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::server {

std::size_t PeerTable::open_connections(const std::string& socket, uid_t uid) const {
  std::size_t count = 0;
  // gRPC owns the descriptors and closes them without a notification, so fcntl() shows which are
  // open.
  for (const auto& [fd, known] : connections_)
    if (known.peer.uid == uid && known.socket == socket && ::fcntl(fd, F_GETFD) >= 0) ++count;
  return count;
}

Result<UniqueFd> PeerTable::enroll(UniqueFd connection, const std::string& socket,
                                   PeerCredentials peer) {
  const std::lock_guard lock{mutex_};
  if (open_connections(socket, peer.uid) >= per_uid_)
    return fail(Code::kResourceExhausted,
                "uid {} has {} connections open, which is the limit for one user at a socket: "
                "connection of "
                "pid {} closed",
                peer.uid, per_uid_, peer.pid);
  // The lowest free number from next_ on; from first_ on when those are all used.
  for (const int from : {next_, first_}) {
    UniqueFd moved{::fcntl(connection.get(), F_DUPFD_CLOEXEC, from)};
    if (!moved && errno != EMFILE && errno != EINVAL) return fail_errno(errno, "F_DUPFD_CLOEXEC");
    if (!moved || moved.get() >= end_) continue;
    next_ = moved.get() + 1 < end_ ? moved.get() + 1 : first_;
    connections_.insert_or_assign(moved.get(),
                                  Connection{.socket = socket, .peer = std::move(peer)});
    return moved;
  }
  return fail(Code::kResourceExhausted,
              "{} connections are open, which is the limit: connection closed", end_ - first_);
}

std::optional<PeerCredentials> PeerTable::find(std::string_view name) const {
  constexpr std::string_view kPrefix = "fd:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto fd = parse_number<int>(name);
  if (!fd) return std::nullopt;
  const std::lock_guard lock{mutex_};
  const auto found = connections_.find(*fd);
  if (found == connections_.end()) return std::nullopt;
  return found->second.peer;
}

}  // namespace lvmd::server
