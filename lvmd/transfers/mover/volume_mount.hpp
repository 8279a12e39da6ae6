// The volume's mount in the sandbox.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_options.hpp"
#include "lvmd/transfers/mover/volume.hpp"

namespace lvmd::transfers::mover {

// How the file system that is on the volume is read [P-MOUNT-6].
[[nodiscard]] mounts::MountSpec read_only_spec(const Volume& volume, std::string_view fs_type);

// Mounted at kVolumePath as long as it lives.
class VolumeMount {
 public:
  // What the kernel says when it doesn't mount it.
  [[nodiscard]] static Result<VolumeMount> make(const mounts::MountSpec& spec);

  VolumeMount(VolumeMount&& other) noexcept;
  VolumeMount& operator=(VolumeMount&&) = delete;
  ~VolumeMount();

  // All that was written has reached the volume: an error tells that it hasn't.
  [[nodiscard]] Status flush() const;
  // Before the transfer has ended: whoever hears of that may remove the volume.
  [[nodiscard]] Status unmount();

 private:
  VolumeMount() = default;
  bool mounted_ = true;
};

// What the kernel remembers of the device's content goes: it is read anew.
[[nodiscard]] Status forget_cached(const std::string& device_path);

}  // namespace lvmd::transfers::mover
