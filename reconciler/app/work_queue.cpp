#include "reconciler/app/work_queue.hpp"

#include <algorithm>

namespace lvmd::reconciler {

void WorkQueue::add(const Key& key, Clock::time_point when) {
  const std::lock_guard lock{mutex_};
  if (const auto held = held_.find(key); held != held_.end())
    held->second = std::min(held->second.value_or(when), when);
  else
    insert(key, when);
}

// Wakes one worker. It takes the key, or waits until the first key is due.
void WorkQueue::insert(const Key& key, Clock::time_point when) {
  const auto [due, inserted] = due_.try_emplace(key, when);
  if (!inserted) {
    if (due->second <= when) return;
    order_.erase({due->second, key});
    due->second = when;
  }
  order_.emplace(when, key);
  changed_.notify_one();
}

std::optional<Key> WorkQueue::take() {
  std::unique_lock lock{mutex_};
  while (!closed_) {
    if (order_.empty()) {
      changed_.wait(lock);
    } else if (const auto when = order_.begin()->first; when > Clock::now()) {
      changed_.wait_until(lock, when);
    } else {
      Key key = order_.extract(order_.begin()).value().second;
      due_.erase(key);
      held_.try_emplace(key);
      // This worker may have been the only one that waited for the next key.
      if (!order_.empty()) changed_.notify_one();
      return key;
    }
  }
  return std::nullopt;
}

void WorkQueue::done(const Key& key) {
  const std::lock_guard lock{mutex_};
  const auto held = held_.extract(key);
  if (!held.empty() && held.mapped()) insert(key, *held.mapped());
}

void WorkQueue::close() {
  const std::lock_guard lock{mutex_};
  closed_ = true;
  changed_.notify_all();
}

}  // namespace lvmd::reconciler
