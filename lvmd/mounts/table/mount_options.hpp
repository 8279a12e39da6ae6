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
  // The volume is a snapshot: its file system has the same UUID as the source's.
  bool snapshot = false;
  // Options from model::kPlaceOptions and kFileSystemOptions. Others have no effect.
  std::span<const std::string> options{};
};

// The arguments of mount(2).
struct MountArguments {
  unsigned long flags = 0;
  std::string data;

  friend bool operator==(const MountArguments&, const MountArguments&) = default;
};

// The arguments always include nosuid and nodev. A read-only mount does no recovery and writes
// nothing to the device.
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
