// Finds the peer of an RPC. gRPC knows a handed-over connection only as "fd:N", so the table gives
// every connection a number that isn't used again soon.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/peer_check.hpp"

namespace lvmd::server {

// What one user may take of the connections [P-SOCK-22].
inline constexpr std::size_t kMaxConnectionsPerUid = 256;

// Thread-safe. Remembers the last connection of each number, so its size is bound by the range.
class PeerTable {
 public:
  // Connections get numbers from `first` up to but not including `end`, in turn. Nothing else of
  // the process has descriptors in this range.
  PeerTable(int first, int end, std::size_t per_uid = kMaxConnectionsPerUid)
      : first_(first), end_(end), per_uid_(per_uid), next_(first) {}

  // Moves the connection to its number. ResourceExhausted, naming the limit, when all are in use or
  // the peer's user has as many as one may have.
  [[nodiscard]] Result<UniqueFd> enroll(UniqueFd connection, PeerCredentials peer);

  // `name` as gRPC's ServerContext::peer() gives it.
  [[nodiscard]] std::optional<PeerCredentials> find(std::string_view name) const;

 private:
  const int first_;
  const int end_;
  const std::size_t per_uid_;
  // Of this user, as many as are open now.
  [[nodiscard]] std::size_t open_connections(uid_t uid) const;

  mutable std::mutex mutex_;
  int next_;
  std::map<int, PeerCredentials> peers_;
};

}  // namespace lvmd::server
