// The mount flags and file system options of a volume [P-MOUNT-5, P-MOUNT-6]. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lvmd::mounts {

// How a volume is mounted.
struct MountSpec {
  // One of model::kFileSystems.
  std::string_view fs_type;
  bool read_only = false;
  // Another volume can have a file system with the same UUID: one of the two was a copy.
  bool duplicate_uuid = false;
  // Options from model::kPlaceOptions and kFileSystemOptions, or model::CsiOptions::place. Others
  // have no effect.
  std::span<const std::string> options{};
  // Flags that the mount has in addition to those of `options`.
  bool nosuid = true;
  bool nodev = true;
  // model::CsiOptions::file_system and context.
  std::span<const std::string> file_system_options{};
  std::string_view context{};
};

// The arguments of mount(2).
struct MountArguments {
  unsigned long flags = 0;
  std::string data;

  friend bool operator==(const MountArguments&, const MountArguments&) = default;
};

// A read-only mount does no recovery and writes nothing to the device. It does not get the options
// of the file system that are not flags: they all affect how it writes, and ext4 without its
// journal refuses some of them.
[[nodiscard]] MountArguments mount_arguments(const MountSpec& spec);

// The attributes of a bind mount for mount_setattr(2) (MOUNT_ATTR_*). Options of the file system
// have no effect: a bind mount cannot change them.
struct BindAttributes {
  std::uint64_t set = 0;
  std::uint64_t clear = 0;

  friend bool operator==(const BindAttributes&, const BindAttributes&) = default;
};
[[nodiscard]] BindAttributes bind_attributes(const MountSpec& spec);

}  // namespace lvmd::mounts
