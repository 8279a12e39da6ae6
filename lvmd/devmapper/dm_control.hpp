// The two questions about devices that are asked of every volume at every look, put to the kernel
// directly; and what it takes to resume a device without telling udev more than that it changed.
//
// libdevmapper answers them too, but takes a buffer of 16 KiB for each: 1,000 devices took 126 ms
// with it in the test VM, and take 15 ms so. All else is asked through libdevmapper.
// Source: linux/dm-ioctl.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::devmapper {

struct ListedDevice {
  // As the kernel numbers it.
  std::uint64_t number = 0;
  std::string name;
};

struct DeviceInfo {
  // Empty when the device has none.
  std::string uuid;
  model::DeviceState state;
};

// One thread.
class DmControl {
 public:
  // Errors name /dev/mapper/control and say what may be missing.
  [[nodiscard]] static Result<DmControl> open();

  // Every device, in no certain order.
  [[nodiscard]] Result<std::vector<ListedDevice>> list();

  // The device that has the number now; absent when none has.
  [[nodiscard]] Result<std::optional<DeviceInfo>> info(std::uint64_t number) const;

  // The devices that the table in use is made of, as the kernel numbers them; none for a device
  // that is gone.
  [[nodiscard]] Result<std::vector<std::uint64_t>> dependencies(std::uint64_t number);

  // Drops a table that is loaded but not in use. No error when there is none.
  [[nodiscard]] Status clear(std::uint64_t number) const;
  // Puts a table that is loaded in use, if there is one, and lets I/O go on. May wait for the
  // devices below. udev sees a change that isn't LVM's, and keeps what it knows of the device.
  [[nodiscard]] Status resume(std::uint64_t number) const;

 private:
  explicit DmControl(UniqueFd fd) : fd_(std::move(fd)) {}

  // What the kernel answers, as long as the next question; empty for a device that is gone.
  [[nodiscard]] Result<std::string_view> ask(unsigned long command, std::uint64_t number);

  UniqueFd fd_;
  // Of the last answer: the kernel copies all of it, so it is no larger than needed.
  std::vector<char> buffer_;
};

}  // namespace lvmd::devmapper
