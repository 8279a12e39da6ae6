#include "reconciler/app/provisioning_times.hpp"

namespace lvmd::reconciler {

void ProvisioningTimes::seen(const LogicalVolume& object, Time now) {
  if (has_volume(object) || object.removal_wanted) return;
  const std::lock_guard lock{mutex_};
  waiting_.emplace(object.key, now);
}

std::optional<std::chrono::nanoseconds> ProvisioningTimes::finished(const LogicalVolume& object,
                                                                    Time now) {
  if (!has_volume(object)) return std::nullopt;
  const std::lock_guard lock{mutex_};
  const auto waiting = waiting_.extract(object.key);
  if (waiting.empty()) return std::nullopt;
  return now - waiting.mapped();
}

void ProvisioningTimes::forget(const Key& key) {
  const std::lock_guard lock{mutex_};
  waiting_.erase(key);
}

}  // namespace lvmd::reconciler
