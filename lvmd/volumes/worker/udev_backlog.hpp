// The events of device-mapper devices that udev has not handled yet.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// True while udevd has events to handle. Source: libudev's udev_queue_get_queue_is_empty().
[[nodiscard]] bool udev_is_busy();

// Compares the kernel's events with those that udev has handled (docs/adr/0034). Events from before
// its start, and lost ones, are unknown: until udev is idle, or for 10 s, udev may have to handle
// removals of every device. One thread.
class UdevBacklog {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kUnknown{10};
  // With more events, all count as lost. Without the limit, they would fill the memory of a host
  // without udevd.
  static constexpr std::size_t kMost = 10'000;
  // For this time after a loss, udevd may not have received the last events, and look idle.
  static constexpr std::chrono::milliseconds kUnseen{50};

  // `receive` returns the events of kernel and udev since its last call.
  explicit UdevBacklog(std::function<devmapper::BlockEvents()> receive,
                       std::function<bool()> is_busy = &udev_is_busy,
                       std::function<Clock::time_point()> now = &Clock::now);

  // Reads the messages of kernel and udev. Call it also between changes: the queue is small, and
  // the kernel drops messages when it is full.
  void update();

  // The number of events that udev has not handled, of all volume groups; unknown ones do not
  // count.
  [[nodiscard]] std::size_t size();
  // size() does not count the events until now, for example because udevd is stopped.
  void forget_events();

  // LVM has removed the device of a volume.
  void add_removed(const std::string& volume, const model::DeviceState& device);

  // True if udev may have to handle the removal of an earlier device with the number of `lv`, or of
  // an earlier volume with its name. `lv` must be active.
  [[nodiscard]] bool has_removal_before(const model::LogicalVolume& lv);

 private:
  using Number = std::pair<std::uint32_t, std::uint32_t>;

  void set_unknown();
  [[nodiscard]] bool is_unknown();

  std::function<devmapper::BlockEvents()> receive_;
  std::function<bool()> is_busy_;
  std::function<Clock::time_point()> now_;
  Clock::time_point unknown_since_;
  Clock::time_point unknown_until_;
  std::set<std::pair<Number, std::uint64_t>> events_;
  // The number of the last removal of each device, if udev has not handled it.
  std::map<Number, std::uint64_t> removals_;
  // The volumes whose devices are in removals_.
  std::map<std::string, Number, std::less<>> removed_;
};

}  // namespace lvmd::volumes::worker
