// Decides when the observer queries LVM which thin pools dmeventd monitors [P-HEALTH-9].
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::volumes::observer {

using Clock = std::chrono::steady_clock;

// The times that methods take are the current time; due times are absolute. One thread.
class MonitoringSchedule {
 public:
  // When a query is due. While nothing changes, none is due.
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }
  // The active pools, sorted.
  [[nodiscard]] const std::vector<std::string>& pools() const { return pools_; }
  // The last answer; nothing before the first one.
  [[nodiscard]] const std::optional<std::vector<std::string>>& unmonitored() const {
    return unmonitored_;
  }

  // Sets the active pools, sorted. If they are not those before, a query is due a second later.
  void set_pools(std::vector<std::string> pools, Clock::time_point now);
  // The active pools are unknown until set_pools(). No query is due.
  void forget_pools();
  // Something has changed the group. If it has an active pool, a query is due: at least 10 s after
  // the last one, or 5 min if dmeventd monitored all pools, but not before the repetition of a
  // failed query.
  void group_changed(Clock::time_point now);
  // Sets the answer of a query: the pools that dmeventd does not monitor, sorted. Returns whether
  // it differs from the last answer. After an error the next query is due 10 s later, and after
  // each further error twice as long, at most 5 min: in a large group on a slow host, the query can
  // fail each time at its limit.
  bool set_answer(const Result<std::vector<std::string>>& pools, Clock::time_point now);

 private:
  void schedule(Clock::time_point at);

  std::vector<std::string> pools_;
  std::optional<std::vector<std::string>> unmonitored_;
  std::optional<Clock::time_point> due_;
  Clock::time_point last_{};
  // The time from a failed query to the next one; absent after an answer.
  std::optional<Clock::duration> retry_;
};

}  // namespace lvmd::volumes::observer
