// The command lines with which LVM makes, changes and removes a volume.
//
// `udev_sync` says whether LVM waits for udev itself: needs_udev_sync(). A word that can't be part
// of a command shows when the command's line is asked for.
#pragma once

#include <span>
#include <string>

#include "lvmd/lvm/lvm_command.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/identity.hpp"

namespace lvmd::volumes::worker {

struct NewVolume {
  std::string name;
  // Whole extents, the same in bytes: thin volumes are made by the one, others by the other.
  model::Bytes size;
  model::Extents extents;
  // The class's and the option class's arguments for lvcreate, as configured.
  std::span<const std::string> arguments;
  bool udev_sync;
};

[[nodiscard]] lvm::LvmCommand create_command(const VolumeSpec& spec, const NewVolume& volume);
// The same with one extent and --test.
[[nodiscard]] lvm::LvmCommand smallest_create_command(const VolumeSpec& spec, NewVolume volume,
                                                      model::Bytes extent_size);

// A thin snapshot of `spec`'s source, active and as large as its source, read-only from the first
// moment when that is its access type.
[[nodiscard]] lvm::LvmCommand snapshot_command(const VolumeSpec& spec, const std::string& name,
                                               bool udev_sync);

[[nodiscard]] lvm::LvmCommand resize_command(const std::string& group, const std::string& name,
                                             model::Extents extents, bool udev_sync);
// One extent more, with --test.
[[nodiscard]] lvm::LvmCommand smallest_resize_command(const std::string& group,
                                                      const std::string& name);

// Removes the volume and nothing that depends on it: LVM then ends well and has removed nothing.
[[nodiscard]] lvm::LvmCommand remove_command(const std::string& group, const std::string& name,
                                             bool udev_sync);

// In one commit. Devices are left as they are.
[[nodiscard]] lvm::LvmCommand tags_command(const std::string& group, const std::string& name,
                                           std::span<const std::string> add,
                                           std::span<const std::string> remove);

// The kernel gets the table that the metadata says, and lets I/O go on. `path` is "<vg>/<volume>".
[[nodiscard]] lvm::LvmCommand refresh_command(const std::string& path);

}  // namespace lvmd::volumes::worker
