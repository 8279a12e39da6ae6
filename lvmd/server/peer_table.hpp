// Finds the peer of an RPC. gRPC knows a handed-over connection only as "fd:N", so the table gives
// every connection a number that isn't used again soon.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/peer_check.hpp"

namespace lvmd::server {

// Thread-safe. Remembers the last connection of each number, so its size is bound by the range.
class PeerTable {
 public:
  // Connections get numbers from `first` up to but not including `end`, in turn.
  PeerTable(int first, int end) : first_(first), end_(end), next_(first) {}

  // Moves the connection to its number. ResourceExhausted when all are in use.
  [[nodiscard]] Result<UniqueFd> enroll(UniqueFd connection, PeerCredentials peer);

  // `name` as gRPC's ServerContext::peer() gives it.
  [[nodiscard]] std::optional<PeerCredentials> find(std::string_view name) const;

 private:
  const int first_;
  const int end_;
  mutable std::mutex mutex_;
  int next_;
  std::map<int, PeerCredentials> peers_;
};

}  // namespace lvmd::server
