// Which objects are due, each handed to one worker at a time [R-RUN-2].
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
class WorkQueue {
 public:
  using Clock = std::chrono::steady_clock;

  // Makes the key due at `when`, or earlier if it was due earlier already. A key that a worker
  // holds is handed out again after done().
  void add(const Key& key, Clock::time_point when);

  // Blocks until a key is due and not held; the caller then holds it. Absent once closed.
  [[nodiscard]] std::optional<Key> take();

  // Gives up what take() handed out.
  void done(const Key& key);

  // Ends every take(), now and later.
  void close();

 private:
  [[nodiscard]] std::map<Key, Clock::time_point>::iterator earliest();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Clock::time_point> due_;
  std::set<Key> held_;
  bool closed_ = false;
};

}  // namespace lvmd::reconciler
