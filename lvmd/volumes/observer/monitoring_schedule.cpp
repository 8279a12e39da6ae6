#include "lvmd/volumes/observer/monitoring_schedule.hpp"

#include <algorithm>
#include <utility>

namespace lvmd::volumes::observer {
namespace {

using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;

// LVM registers a pool with dmeventd within the command that activates the pool.
constexpr auto kDelay = 1s;
// The interval of queries about the same pools; the shorter one while a pool is not monitored.
constexpr auto kInterval = 5min;
constexpr auto kUnmonitoredInterval = 10s;

}  // namespace

void MonitoringSchedule::set_pools(std::vector<std::string> pools, Clock::time_point now) {
  if (pools != pools_ && !pools.empty()) schedule(now + kDelay);
  pools_ = std::move(pools);
}

void MonitoringSchedule::forget_pools() {
  pools_.clear();
  due_.reset();
}

void MonitoringSchedule::group_changed(Clock::time_point now) {
  if (pools_.empty()) return;
  const bool all_monitored = unmonitored_ && unmonitored_->empty();
  const Clock::duration usual = all_monitored ? kInterval : kUnmonitoredInterval;
  schedule(std::max(now + kDelay, last_ + retry_.value_or(usual)));
}

bool MonitoringSchedule::set_answer(const Result<std::vector<std::string>>& pools,
                                    Clock::time_point now) {
  due_.reset();
  last_ = now;
  if (!pools) {
    retry_ = retry_ ? std::min<Clock::duration>(2 * *retry_, kInterval) : kUnmonitoredInterval;
    schedule(now + *retry_);
    return false;
  }
  retry_.reset();
  if (unmonitored_ == *pools) return false;
  unmonitored_ = *pools;
  return true;
}

void MonitoringSchedule::schedule(Clock::time_point at) { due_ = std::min(at, due_.value_or(at)); }

}  // namespace lvmd::volumes::observer
