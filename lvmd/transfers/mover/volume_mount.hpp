// Mounts the volume in the sandbox.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_options.hpp"
#include "lvmd/transfers/mover/volume.hpp"

namespace lvmd::transfers::mover {

// Returns how to mount the volume's file system for reading [P-MOUNT-6].
[[nodiscard]] mounts::MountSpec read_only_spec(const Volume& volume, std::string_view fs_type);

// A mount at kVolumePath. The destructor unmounts it.
class VolumeMount {
 public:
  // Mounts the volume. Returns the kernel's error when the mount fails.
  [[nodiscard]] static Result<VolumeMount> make(const mounts::MountSpec& spec);

  VolumeMount(const VolumeMount&) = delete;
  VolumeMount& operator=(const VolumeMount&) = delete;
  VolumeMount(VolumeMount&& other) noexcept;
  VolumeMount& operator=(VolumeMount&&) = delete;
  ~VolumeMount();

  // Flushes all written data to the volume. An error means that some data may be lost.
  [[nodiscard]] Status flush() const;
  // Unmounts the volume. Must succeed before the transfer ends, because the caller may then remove
  // the volume.
  [[nodiscard]] Status unmount();

 private:
  VolumeMount() = default;
  bool mounted_ = true;
};

// Drops the cached content of the device, so that it is read again.
[[nodiscard]] Status drop_cache(const std::string& device_path);

}  // namespace lvmd::transfers::mover
