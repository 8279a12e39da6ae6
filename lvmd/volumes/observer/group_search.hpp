// Looks on a device for a volume group, in a process of its own: the device may hang.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace lvmd::volumes::observer {

// One thread.
class GroupSearch {
 public:
  explicit GroupSearch(std::string volume_group) : volume_group_(std::move(volume_group)) {}

  // Whether the device has metadata of the group, or could not be told in time: LVM should be
  // asked. Blocks for kLimit at most.
  static constexpr std::chrono::milliseconds kLimit{500};
  [[nodiscard]] bool may_be_on(const std::string& path);

 private:
  void reap();

  std::string volume_group_;
  // Processes that hang in the kernel; they end when the kernel lets go of the read.
  std::vector<pid_t> hanging_;
};

}  // namespace lvmd::volumes::observer
