// Log entries that callers cause: a limited number per second and user; the rest is reported as a
// number [P-SOCK-26].
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
  // Absent: a peer whose credentials are unknown.
  using User = std::optional<uid_t>;

  // Returns whether one more entry of this user may be written now. If not, counts it as
  // suppressed.
  [[nodiscard]] bool admit(User user, MonotonicTime now);
  // Returns the number of entries suppressed since the last call, for each user with any. Removes
  // users that have been inactive for a second.
  [[nodiscard]] std::vector<std::pair<User, std::uint64_t>> take_suppressed(MonotonicTime now);

 private:
  struct Count {
    // The time of the first entry in the current second.
    MonotonicTime since;
    std::uint64_t admitted = 0;
    std::uint64_t suppressed = 0;
  };

  std::mutex mutex_;
  std::map<User, Count> counts_;
};

// The functions share one limit, because the process has one log.
namespace peer_log {

// As log::write(), unless the user has reached the limit for this second.
void write(PeerLogLimit::User user, log::Priority priority, std::string_view message,
           log::Fields fields);

// Logs for each user how many entries were suppressed since the last call. Called every few
// seconds, and before the process ends.
void report_suppressed();

}  // namespace peer_log
}  // namespace lvmd::server
