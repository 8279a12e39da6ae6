// Tells udev to scan new volumes. Until a volume is blank, udev does not scan it [P-CREATE-9].
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// A scan delays the next change (docs/adr/0008), and the first program that writes to a volume
// causes one anyway. So a scan waits until the worker has rested, or until the limit. One thread.
class UdevScans {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kRest{1};
  static constexpr std::chrono::seconds kLimit{10};

  explicit UdevScans(std::function<Clock::time_point()> now = &Clock::now,
                     std::filesystem::path devices = "/sys/dev/block",
                     std::filesystem::path database = "/run/udev/data")
      : now_(std::move(now)), devices_(std::move(devices)), database_(std::move(database)) {}

  // A new volume is blank. `link` is the link that udev makes to it: "/dev/<vg>/<lv>".
  void add(const model::DeviceState& device, std::string link);
  // A change of the group begins or has ended, so the worker does not rest.
  void postpone();

  // The time until work() has something to do; absent: nothing.
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  // Tells udev of one volume, unless udev has scanned it since. Only logs an error: then udev scans
  // the volume when a program has written to it.
  void work();
  // Tells udev of all volumes that are left, before the worker ends.
  void finish();

 private:
  struct Volume {
    model::DeviceState device;
    std::string link;
    Clock::time_point limit;
  };

  std::function<Clock::time_point()> now_;
  std::filesystem::path devices_;
  std::filesystem::path database_;
  std::deque<Volume> volumes_;
  Clock::time_point rest_;
};

}  // namespace lvmd::volumes::worker
