// With which flags and options of the file system a volume is mounted [P-MOUNT-5, P-MOUNT-6].
// Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lvmd::mounts {

struct Wish {
  // One of model::kFileSystems.
  std::string_view fs_type;
  bool read_only = false;
  // The file system has the UUID of another volume's.
  bool snapshot = false;
  // Of model::kPlaceOptions and kFileSystemOptions; others have no effect.
  std::span<const std::string> options{};
};

// As mount(2) takes them.
struct MountArguments {
  unsigned long flags = 0;
  std::string data;

  friend bool operator==(const MountArguments&, const MountArguments&) = default;
};

// nosuid and nodev always. What is read-only recovers and writes nothing.
[[nodiscard]] MountArguments mount_arguments(const Wish& wish);

// As mount_setattr(2) takes them (MOUNT_ATTR_*), for a bind mount: what belongs to the file system
// as a whole has no effect.
struct BindAttributes {
  std::uint64_t set = 0;
  std::uint64_t clear = 0;

  friend bool operator==(const BindAttributes&, const BindAttributes&) = default;
};
[[nodiscard]] BindAttributes bind_attributes(const Wish& wish);

}  // namespace lvmd::mounts
