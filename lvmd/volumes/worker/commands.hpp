// The LVM commands that create, change and remove a volume. Pure.
//
// `udev_sync`: LVM itself waits for udev (needs_udev_sync()). An argument that cannot be part of a
// command makes LvmCommand::line() fail.
#pragma once

#include <span>
#include <string>

#include "lvmd/lvm/lvm_command.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/identity.hpp"

namespace lvmd::volumes::worker {

struct NewVolume {
  std::string name;
  // The same size in bytes and in extents. Thin volumes are created with bytes, others with
  // extents.
  model::Bytes size;
  model::Extents extents;
  // The configured lvcreate arguments of the class and the option class.
  std::span<const std::string> arguments;
  bool udev_sync;
};

[[nodiscard]] lvm::LvmCommand create_command(const VolumeSpec& spec, const NewVolume& volume);
// create_command() with one extent and --test.
[[nodiscard]] lvm::LvmCommand smallest_create_command(const VolumeSpec& spec, NewVolume volume,
                                                      model::Bytes extent_size);

// Creates a thin snapshot of the source of `spec`: active, of the source's size, and, for access
// type "ro", read-only from its creation on.
[[nodiscard]] lvm::LvmCommand snapshot_command(const VolumeSpec& spec, const std::string& name,
                                               bool udev_sync);

[[nodiscard]] lvm::LvmCommand resize_command(const std::string& group, const std::string& name,
                                             model::Extents extents, bool udev_sync);
// Grows the volume by one extent, with --test.
[[nodiscard]] lvm::LvmCommand smallest_resize_command(const std::string& group,
                                                      const std::string& name);

// Removes the volume, and no other: if others depend on it, LVM succeeds and removes nothing.
[[nodiscard]] lvm::LvmCommand remove_command(const std::string& group, const std::string& name,
                                             bool udev_sync);

// Changes the tags in one commit. Does not change devices.
[[nodiscard]] lvm::LvmCommand tags_command(const std::string& group, const std::string& name,
                                           std::span<const std::string> add,
                                           std::span<const std::string> remove);

// Activates the volume. `path`: "<vg>/<volume>".
[[nodiscard]] lvm::LvmCommand activate_command(const std::string& path);

// Loads the table from the metadata into the kernel and resumes I/O. `path`: "<vg>/<volume>".
[[nodiscard]] lvm::LvmCommand refresh_command(const std::string& path);

}  // namespace lvmd::volumes::worker
