#include "lvmd/server/peer_log.hpp"

#include <fmt/format.h>

#include <string>

namespace lvmd::server {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// Bounds the memory for users. At the limit, another user's entries are suppressed until older
// users have been inactive.
constexpr std::size_t kMaxUsers = 4096;

PeerLogLimit& limit() {
  static PeerLogLimit instance;
  return instance;
}

std::string name_of(PeerLogLimit::User user) {
  return user ? fmt::format("uid {}", *user) : "unknown peers";
}

}  // namespace

bool PeerLogLimit::admit(User user, MonotonicTime now) {
  const std::lock_guard lock{mutex_};
  if (counts_.size() >= kMaxUsers && !counts_.contains(user)) return false;
  const auto [found, is_new] = counts_.try_emplace(user, Count{.since = now});
  Count& count = found->second;
  if (!is_new && now.nanoseconds - count.since.nanoseconds >= kSecond) {
    count.since = now;
    count.admitted = 0;
  }
  if (count.admitted < kEntriesPerSecond) {
    ++count.admitted;
    return true;
  }
  ++count.suppressed;
  return false;
}

std::vector<std::pair<PeerLogLimit::User, std::uint64_t>> PeerLogLimit::take_suppressed(
    MonotonicTime now) {
  const std::lock_guard lock{mutex_};
  std::vector<std::pair<User, std::uint64_t>> suppressed;
  for (auto& [user, count] : counts_)
    if (const auto number = std::exchange(count.suppressed, 0); number != 0)
      suppressed.emplace_back(user, number);
  std::erase_if(counts_, [now](const auto& item) {
    return now.nanoseconds - item.second.since.nanoseconds >= kSecond;
  });
  return suppressed;
}

namespace peer_log {

void write(PeerLogLimit::User user, log::Priority priority, std::string_view message,
           log::Fields fields) {
  if (!log::drops(priority) && limit().admit(user, monotonic_now()))
    log::write(priority, message, fields);
}

void report_suppressed() {
  for (const auto& [user, number] : limit().take_suppressed(monotonic_now()))
    log::notice(fmt::format("{}: suppressed {} log entries; the limit is {} per second and user",
                            name_of(user), number, kEntriesPerSecond),
                {{log::kPeerUid, user ? fmt::format("{}", *user) : ""}});
}

}  // namespace peer_log
}  // namespace lvmd::server
