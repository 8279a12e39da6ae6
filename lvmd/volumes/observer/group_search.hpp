// Searches a device for metadata of a volume group, in a child process, because the device may
// hang.
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

  // True if the device has metadata of the group, or cannot be read within kLimit. Blocks for at
  // most kLimit.
  static constexpr std::chrono::milliseconds kLimit{500};
  [[nodiscard]] bool may_be_on(const std::string& path);

 private:
  void reap();

  std::string volume_group_;
  // Killed processes that hang in the kernel until their read ends.
  std::vector<pid_t> hanging_;
};

}  // namespace lvmd::volumes::observer
