// Finds the peer of an RPC. gRPC names a handed-over connection only "fd:N", so the table gives
// every connection a number that isn't used again soon.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/peer_check.hpp"

namespace lvmd::server {

// The limit of open connections of one user at one socket [P-SOCK-22]. A user who has reached it at
// one socket can still connect at the others: kubelet and an administrator are both root.
inline constexpr std::size_t kMaxConnectionsPerUid = 256;

// Thread-safe. Keeps the last peer of each number, so its size is bounded by the range.
class PeerTable {
 public:
  // Connections get the numbers from `first` to `end` - 1, in turn. Nothing else in the process may
  // use descriptors in this range.
  PeerTable(int first, int end, std::size_t per_uid = kMaxConnectionsPerUid)
      : first_(first), end_(end), per_uid_(per_uid), next_(first) {}

  // Moves a connection that was accepted at the socket with this path to a number of the range, and
  // registers its peer. ResourceExhausted, naming the limit, when all numbers are in use or the
  // peer's user has reached its limit.
  [[nodiscard]] Result<UniqueFd> enroll(UniqueFd connection, const std::string& socket,
                                        PeerCredentials peer);

  // The peer of a connection. `name` is the value of grpc::ServerContext::peer(). Absent when
  // unknown.
  [[nodiscard]] std::optional<PeerCredentials> find(std::string_view name) const;

 private:
  const int first_;
  const int end_;
  const std::size_t per_uid_;
  struct Connection {
    std::string socket;
    PeerCredentials peer;
  };

  // The number of this user's open connections at the socket.
  [[nodiscard]] std::size_t open_connections(const std::string& socket, uid_t uid) const;

  mutable std::mutex mutex_;
  int next_;
  std::map<int, Connection> connections_;
};

}  // namespace lvmd::server
