#include "csi/controller/object_feed.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

namespace lvmd::controller {

using reconciler::LogicalVolume;

std::optional<Report> Subscription::next(Time until) {
  std::unique_lock lock{queue_->mutex};
  queue_->changed.wait_until(lock, until,
                             [this] { return queue_->is_stopped || !queue_->reports.empty(); });
  if (queue_->is_stopped || queue_->reports.empty()) return std::nullopt;
  Report report = std::move(queue_->reports.front());
  queue_->reports.pop_front();
  return report;
}

bool Subscription::is_stopped() const {
  const std::lock_guard lock{queue_->mutex};
  return queue_->is_stopped;
}

void ObjectFeed::put(const LogicalVolume& object) {
  const std::lock_guard lock{mutex_};
  objects_[object.key.name] = object;
  tell(object.key.name, object);
}

void ObjectFeed::erase(const std::string& name) {
  const std::lock_guard lock{mutex_};
  if (objects_.erase(name) > 0) tell(name, std::nullopt);
}

void ObjectFeed::replace(const std::vector<LogicalVolume>& objects) {
  std::set<std::string> gone;
  {
    const std::lock_guard lock{mutex_};
    const auto names = std::views::keys(objects_);
    gone.insert(names.begin(), names.end());
  }
  for (const LogicalVolume& object : objects) {
    gone.erase(object.key.name);
    put(object);
  }
  for (const std::string& name : gone) erase(name);
}

void ObjectFeed::stop() {
  const std::lock_guard lock{mutex_};
  is_stopped_ = true;
  for (const auto& [name, subscriber] : subscribers_)
    if (const auto queue = subscriber.lock()) {
      const std::lock_guard queue_lock{queue->mutex};
      queue->is_stopped = true;
      queue->changed.notify_all();
    }
}

std::optional<LogicalVolume> ObjectFeed::get(const std::string& name) const {
  const std::lock_guard lock{mutex_};
  const auto found = objects_.find(name);
  return found == objects_.end() ? std::nullopt : std::optional{found->second};
}

std::vector<LogicalVolume> ObjectFeed::all() const {
  const std::lock_guard lock{mutex_};
  const auto values = std::views::values(objects_);
  return {values.begin(), values.end()};
}

std::vector<LogicalVolume> ObjectFeed::with_handle(const std::string& handle) const {
  const std::lock_guard lock{mutex_};
  std::vector<LogicalVolume> found;
  for (const LogicalVolume& object : std::views::values(objects_))
    if (object.status.volume_id == handle) found.push_back(object);
  return found;
}

Subscription ObjectFeed::subscribe(const std::string& name) {
  auto queue = std::make_shared<Subscription::Queue>();
  const std::lock_guard lock{mutex_};
  queue->is_stopped = is_stopped_;
  std::erase_if(subscribers_, [](const auto& one) { return one.second.expired(); });
  subscribers_.emplace(name, queue);
  return Subscription{std::move(queue)};
}

void ObjectFeed::tell(const std::string& name, const Report& report) {
  const auto [begin, end] = subscribers_.equal_range(name);
  for (const auto& subscriber : std::ranges::subrange(begin, end) | std::views::values)
    if (const auto queue = subscriber.lock()) {
      const std::lock_guard lock{queue->mutex};
      queue->reports.push_back(report);
      queue->changed.notify_all();
    }
}

}  // namespace lvmd::controller
