// The objects that are due. Each is given to one worker at a time [R-RUN-2]. Safe from every
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

class WorkQueue {
 public:
  using Clock = std::chrono::steady_clock;

  // Makes the key due at `when`, or earlier if it was due earlier. A key that a worker has is
  // handed out again after done(). Takes logarithmic time, as the other functions do.
  void add(const Key& key, Clock::time_point when);

  // Blocks until a key is due that no worker has, and hands it out: the one that is due the
  // longest. Absent after close().
  [[nodiscard]] std::optional<Key> take();

  // The worker has finished with the key.
  void done(const Key& key);

  // Ends every take(), now and later.
  void close();

 private:
  void insert(const Key& key, Clock::time_point when);

  std::mutex mutex_;
  std::condition_variable changed_;
  // The keys that no worker has: the time of each, and all in the order of their times.
  std::map<Key, Clock::time_point> due_;
  std::set<std::pair<Clock::time_point, Key>> order_;
  // The keys that workers have. The time: when the key is due again after done().
  std::map<Key, std::optional<Clock::time_point>> held_;
  bool closed_ = false;
};

}  // namespace lvmd::reconciler
