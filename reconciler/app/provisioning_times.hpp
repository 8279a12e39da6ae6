// How long objects waited for their volumes. Safe from every thread.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

class ProvisioningTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // The object exists at `now`. Its time starts when it is first seen without a volume.
  void seen(const LogicalVolume& object, Time now);

  // The time since then, once for each object, when it has a volume.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> finished(const LogicalVolume& object,
                                                                 Time now);

  void forget(const Key& key);

 private:
  std::mutex mutex_;
  std::map<Key, Time> waiting_;
};

}  // namespace lvmd::reconciler
