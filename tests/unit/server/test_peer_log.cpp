#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "lvmd/server/peer_log.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

using Suppressed = std::vector<std::pair<PeerLogLimit::User, std::uint64_t>>;

constexpr MonotonicTime at(std::int64_t milliseconds) { return {milliseconds * 1'000'000}; }

int admitted(PeerLogLimit& limit, PeerLogLimit::User user, MonotonicTime now, int entries) {
  int count = 0;
  for (int i = 0; i < entries; ++i)
    if (limit.admit(user, now)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a user has ten log entries per second, independently of other users [P-SOCK-26]",
          "[server]") {
  PeerLogLimit limit;
  CHECK(admitted(limit, 1000, at(0), 25) == 10);
  CHECK(admitted(limit, 1000, at(999), 5) == 0);
  CHECK(admitted(limit, 1001, at(999), 5) == 5);
  CHECK(admitted(limit, std::nullopt, at(999), 11) == 10);
  CHECK(admitted(limit, 1000, at(1000), 12) == 10);
}

TEST_CASE("the number of suppressed entries is reported once [P-SOCK-26]", "[server]") {
  PeerLogLimit limit;
  static_cast<void>(admitted(limit, 1000, at(0), 25));
  static_cast<void>(admitted(limit, 1001, at(0), 3));
  static_cast<void>(admitted(limit, 1000, at(1500), 14));
  CHECK(limit.take_suppressed(at(1600)) == Suppressed{{1000, 19}});
  CHECK(limit.take_suppressed(at(1700)).empty());
  // The second has not ended: taking the number permits no new entries.
  CHECK(admitted(limit, 1000, at(1800), 4) == 0);
  CHECK(limit.take_suppressed(at(9000)) == Suppressed{{1000, 4}});
}
