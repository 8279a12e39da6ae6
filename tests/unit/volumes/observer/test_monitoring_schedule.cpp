#include <catch2/catch.hpp>

#include "lvmd/volumes/observer/monitoring_schedule.hpp"

using namespace lvmd;
using namespace lvmd::volumes::observer;
using namespace std::chrono_literals;

namespace {

using Names = std::vector<std::string>;

const Clock::time_point kBegin = Clock::now();

// With an active pool since kBegin, which dmeventd monitored a second later.
MonitoringSchedule monitored() {
  MonitoringSchedule schedule;
  schedule.set_pools({"pool"}, kBegin);
  schedule.set_answer(Names{}, kBegin + 1s);
  return schedule;
}

}  // namespace

TEST_CASE("a query is due a second after a pool has become active, and not again [P-HEALTH-9]",
          "[observer]") {
  MonitoringSchedule schedule;
  schedule.set_pools({}, kBegin);
  CHECK_FALSE(schedule.due());
  schedule.set_pools({"pool"}, kBegin + 1s);
  CHECK(schedule.due() == kBegin + 2s);
  CHECK(schedule.set_answer(Names{}, kBegin + 2s));
  CHECK_FALSE(schedule.due());
  schedule.set_pools({"pool"}, kBegin + 3s);
  CHECK_FALSE(schedule.due());
  schedule.set_pools({"other", "pool"}, kBegin + 4s);
  CHECK(schedule.due() == kBegin + 5s);
}

TEST_CASE(
    "after changes LVM is queried every 5 min, or every 10 s beside an unmonitored pool "
    "[P-HEALTH-9]",
    "[observer]") {
  MonitoringSchedule schedule = monitored();
  schedule.group_changed(kBegin + 10s);
  schedule.group_changed(kBegin + 20s);
  CHECK(schedule.due() == kBegin + 1s + 5min);
  CHECK(schedule.set_answer(Names{"pool"}, kBegin + 301s));
  CHECK_FALSE(schedule.due());
  schedule.group_changed(kBegin + 302s);
  CHECK(schedule.due() == kBegin + 311s);
  CHECK_FALSE(schedule.set_answer(Names{"pool"}, kBegin + 311s));
  schedule.group_changed(kBegin + 400s);
  CHECK(schedule.due() == kBegin + 401s);
}

TEST_CASE("without an active pool no query is due [P-HEALTH-9]", "[observer]") {
  MonitoringSchedule schedule = monitored();
  schedule.group_changed(kBegin + 10s);
  schedule.forget_pools();
  CHECK_FALSE(schedule.due());
  schedule.group_changed(kBegin + 20s);
  CHECK_FALSE(schedule.due());
  schedule.set_pools({"pool"}, kBegin + 30s);
  CHECK(schedule.due() == kBegin + 31s);
}

TEST_CASE("a query that fails is repeated 10 s later, and the last answer stays [P-HEALTH-9]",
          "[observer]") {
  MonitoringSchedule schedule = monitored();
  CHECK_FALSE(schedule.set_answer(fail(Code::kInternal, "no answer"), kBegin + 10s));
  CHECK(schedule.due() == kBegin + 20s);
  REQUIRE(schedule.unmonitored());
  CHECK(schedule.unmonitored()->empty());
}

TEST_CASE("a query that fails each time is repeated after longer and longer waits [P-HEALTH-9]",
          "[observer]") {
  const auto error = [] { return fail(Code::kDeadlineExceeded, "no answer"); };
  MonitoringSchedule schedule;
  schedule.set_pools({"pool"}, kBegin);
  auto now = kBegin + 1s;
  for (const auto interval : {10s, 20s, 40s, 80s, 160s, 300s, 300s}) {
    CAPTURE(interval.count());
    CHECK_FALSE(schedule.set_answer(error(), now));
    schedule.group_changed(now + 2s);
    CHECK(schedule.due() == now + interval);
    now += interval + 4s;
  }
  CHECK(schedule.set_answer(Names{"pool"}, now));
  CHECK_FALSE(schedule.due());
  schedule.group_changed(now + 1s);
  CHECK(schedule.due() == now + 10s);
  CHECK_FALSE(schedule.set_answer(error(), now + 10s));
  CHECK(schedule.due() == now + 20s);
}
