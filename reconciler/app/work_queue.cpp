#include "reconciler/app/work_queue.hpp"

#include <algorithm>

namespace lvmd::reconciler {

void WorkQueue::add(const Key& key, Clock::time_point when) {
  const std::lock_guard lock{mutex_};
  const auto [entry, inserted] = due_.try_emplace(key, when);
  if (!inserted) entry->second = std::min(entry->second, when);
  changed_.notify_all();
}

std::map<Key, WorkQueue::Clock::time_point>::iterator WorkQueue::earliest() {
  auto best = due_.end();
  for (auto entry = due_.begin(); entry != due_.end(); ++entry)
    if (!held_.contains(entry->first) && (best == due_.end() || entry->second < best->second))
      best = entry;
  return best;
}

std::optional<Key> WorkQueue::take() {
  std::unique_lock lock{mutex_};
  while (!closed_) {
    const auto next = earliest();
    if (next == due_.end()) {
      changed_.wait(lock);
    } else if (const auto when = next->second; when > Clock::now()) {
      changed_.wait_until(lock, when);
    } else {
      Key key = next->first;
      due_.erase(next);
      held_.insert(key);
      return key;
    }
  }
  return std::nullopt;
}

void WorkQueue::done(const Key& key) {
  const std::lock_guard lock{mutex_};
  held_.erase(key);
  changed_.notify_all();
}

void WorkQueue::close() {
  const std::lock_guard lock{mutex_};
  closed_ = true;
  changed_.notify_all();
}

}  // namespace lvmd::reconciler
