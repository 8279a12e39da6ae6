// The volume's mount in the sandbox.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::mover {

// Mounted at kVolumePlace as long as it lives.
class VolumeMount {
 public:
  // By [P-MOUNT-6]: recovers and writes nothing.
  [[nodiscard]] static Result<VolumeMount> read_only(const std::string& fs_type);
  [[nodiscard]] static Result<VolumeMount> writable(const std::string& fs_type);

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

}  // namespace lvmd::mover
