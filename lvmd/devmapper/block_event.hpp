// Parses events of block devices, of the kernel and of udev. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvmd::devmapper {

struct BlockEvent {
  // "add", "change", "remove", ...
  std::string action;
  // Without "/dev/": "dm-3", "vda1".
  std::string devname;
  // Only for device-mapper devices. Empty if the event does not contain them.
  std::string dm_name;
  std::string dm_uuid;
  // 0:0 if the event does not contain them.
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  // The kernel's number of the event; 0 if the event does not contain it. The kernel counts the
  // events of all devices. udev handles those of one device in this order.
  std::uint64_t seqnum = 0;
  // The message is from udev, which has handled the kernel's event.
  bool handled = false;

  [[nodiscard]] bool is_device_mapper() const { return devname.starts_with("dm-"); }

  friend bool operator==(const BlockEvent&, const BlockEvent&) = default;
};

// `message` is a message of the kernel: "action@path" and "KEY=value" strings, each with a final
// NUL; or one of udev: a binary header and the same strings. Absent if it is not an event of a
// block device. Source of udev's format: systemd's device-monitor.c, monitor_netlink_header.
[[nodiscard]] std::optional<BlockEvent> parse_uevent(std::string_view message);

}  // namespace lvmd::devmapper
