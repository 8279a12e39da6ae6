// The LogicalVolumes of the cluster as a watch reports them, and calls that follow one of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// The new state of an object; absent: it was deleted.
using Report = std::optional<reconciler::LogicalVolume>;

// The reports about one object, in the order of the watch. For one thread at a time.
class Subscription {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // The next report. Absent when none arrived until then, or the feed was stopped.
  [[nodiscard]] std::optional<Report> next(Time until);

  [[nodiscard]] bool is_stopped() const;

 private:
  friend class ObjectFeed;

  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Report> reports;
    bool is_stopped = false;
  };

  explicit Subscription(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}

  std::shared_ptr<Queue> queue_;
};

// Safe from every thread. All objects are of one API group, so a name identifies an object.
class ObjectFeed {
 public:
  void put(const reconciler::LogicalVolume& object);
  void erase(const std::string& name);
  // Objects that are not in `objects` are removed.
  void replace(const std::vector<reconciler::LogicalVolume>& objects);

  // Ends every wait for a report, now and later.
  void stop();

  // As last reported.
  [[nodiscard]] std::optional<reconciler::LogicalVolume> get(const std::string& name) const;
  [[nodiscard]] std::vector<reconciler::LogicalVolume> all() const;
  // The objects with this status.volumeID.
  [[nodiscard]] std::vector<reconciler::LogicalVolume> with_handle(const std::string& handle) const;

  // Follows an object, which need not exist, from now on.
  [[nodiscard]] Subscription subscribe(const std::string& name);

 private:
  void tell(const std::string& name, const Report& report);

  mutable std::mutex mutex_;
  std::map<std::string, reconciler::LogicalVolume> objects_;
  std::multimap<std::string, std::weak_ptr<Subscription::Queue>> subscribers_;
  bool is_stopped_ = false;
};

}  // namespace lvmd::controller
