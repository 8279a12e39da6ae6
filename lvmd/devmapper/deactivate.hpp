// Deactivates a volume without LVM.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::devmapper {

// A volume that is inactive, but whose device the kernel may still be freeing.
//
// The kernel removes a device from its lists at once. Then it frees the device, for tens of
// milliseconds, in the same ioctl. Meanwhile nothing can open it, and other programs can do their
// part of the removal.
class Deactivation {
 public:
  class Removal;
  explicit Deactivation(std::unique_ptr<Removal> removal);
  Deactivation(const Deactivation&) = delete;
  Deactivation& operator=(const Deactivation&) = delete;
  Deactivation(Deactivation&& other) noexcept;
  Deactivation& operator=(Deactivation&& other) noexcept;
  // Waits until the kernel has freed the device.
  ~Deactivation();

 private:
  std::unique_ptr<Removal> removal_;
};

// Removes the device of a volume that has only this one: a linear or striped volume that LVM does
// not monitor. nullopt if it is open. Otherwise the volume is inactive now, also if it was before.
// The links in /dev exist until udev has handled the event. Errors are those of DmControl. A second
// thread makes the ioctl. Idempotent.
[[nodiscard]] Result<std::optional<Deactivation>> deactivate(std::string_view vg_id,
                                                             std::string_view lv_id);

}  // namespace lvmd::devmapper
