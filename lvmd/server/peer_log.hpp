// The entries that callers cause: so many a second for each user, the rest as a number [P-SOCK-26].
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/log.hpp"

namespace lvmd::server {

inline constexpr std::uint64_t kEntriesPerSecond = 10;

// Counts entries; writes none. Thread-safe.
class PeerLogLimit {
 public:
  // Of a user, or of a peer that nobody knows.
  using User = std::optional<uid_t>;

  // Whether one more entry of this user may be written now; if not, it is counted.
  [[nodiscard]] bool admit(User user, MonotonicTime now);
  // How many were counted since the last call, for each user who has any. Users who have been
  // silent for a second are forgotten.
  [[nodiscard]] std::vector<std::pair<User, std::uint64_t>> take_suppressed(MonotonicTime now);

 private:
  struct Count {
    // The second begins with its first entry.
    MonotonicTime since;
    std::uint64_t admitted = 0;
    std::uint64_t suppressed = 0;
  };

  std::mutex mutex_;
  std::map<User, Count> counts_;
};

// The process's own limit, as there is one log.
namespace peer_log {

// As log::write(), unless the user has had as many entries in this second as one may have.
void write(PeerLogLimit::User user, log::Priority priority, std::string_view message,
           log::Fields fields);

// Writes for each user how many entries were suppressed since the last call. Called every few
// seconds, and at the end.
void report_suppressed();

}  // namespace peer_log
}  // namespace lvmd::server
