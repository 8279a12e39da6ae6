// Kernel uevents of block devices. Pure.
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
  // Device-mapper devices only, and not always: empty when the kernel doesn't say.
  std::string dm_name;
  std::string dm_uuid;
  // 0:0 when the kernel doesn't say.
  std::uint32_t major = 0;
  std::uint32_t minor = 0;

  [[nodiscard]] bool is_device_mapper() const { return devname.starts_with("dm-"); }

  friend bool operator==(const BlockEvent&, const BlockEvent&) = default;
};

// `message` as the kernel sends it: "action@path", then "KEY=value" texts, each ended by a NUL.
// Absent when it isn't one of a block device.
[[nodiscard]] std::optional<BlockEvent> parse_uevent(std::string_view message);

}  // namespace lvmd::devmapper
