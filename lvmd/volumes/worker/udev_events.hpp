// The events of devices that udev has not handled yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// True while udevd has events to handle. Source: libudev's udev_queue_get_queue_is_empty().
[[nodiscard]] bool udev_is_busy();

// Compares the kernel's events with those that udev has handled (docs/adr/0034). Events from before
// its start, and lost ones, are unknown: until udev is idle, or for 10 s, udev may have to handle
// events of every device. One thread.
class UdevEvents {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kUnknown{10};

  // `receive` returns the events of kernel and udev since its last call.
  explicit UdevEvents(std::function<devmapper::BlockEvents()> receive,
                      std::function<bool()> is_busy = &udev_is_busy,
                      std::function<Clock::time_point()> now = &Clock::now);

  // LVM has removed the device of a volume.
  void removed(const std::string& volume, const model::DeviceState& device);

  // True if udev may have an event of the device to handle.
  [[nodiscard]] bool has_event(const model::DeviceState& device);
  // True if udev may have to handle an event of a removed device that is older than the removal.
  [[nodiscard]] bool has_event_before_removal(const model::DeviceState& device);
  // True if udev may have to handle the removal of an earlier device with the number of `lv`, or of
  // an earlier volume with its name. `lv` must be active.
  [[nodiscard]] bool has_removal_before(const model::LogicalVolume& lv);

 private:
  // The numbers of events.
  struct Progress {
    std::uint64_t last = 0;
    std::uint64_t removal = 0;
    std::uint64_t before_removal = 0;
    std::uint64_t handled = 0;
  };
  using Number = std::pair<std::uint32_t, std::uint32_t>;
  struct Event {
    Number device;
    std::uint64_t seqnum = 0;
  };

  void update();
  [[nodiscard]] bool is_unknown();
  // The removal of the device, if udev has not handled it.
  [[nodiscard]] std::optional<Event> removal_of(const Number& device) const;
  [[nodiscard]] bool is_handled(const Event& event) const;

  std::function<devmapper::BlockEvents()> receive_;
  std::function<bool()> is_busy_;
  std::function<Clock::time_point()> now_;
  Clock::time_point unknown_until_;
  // The devices for which udev has events to handle.
  std::map<Number, Progress> devices_;
  // The removals of volumes that udev may not have handled.
  std::map<std::string, Event, std::less<>> removed_;
};

}  // namespace lvmd::volumes::worker
