// How long objects have waited for their volumes.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
class ProvisioningTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // The object is there at `now`. Counts from the first time it was seen without a volume.
  void seen(const LogicalVolume& object, Time now);

  // Since then, when the object has a volume at last; once for each object.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> finished(const LogicalVolume& object,
                                                                 Time now);

  void forget(const Key& key);

 private:
  std::mutex mutex_;
  std::map<Key, Time> waiting_;
};

}  // namespace lvmd::reconciler
