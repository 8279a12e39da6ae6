// Hears of writes to physical volumes: whoever changes LVM's metadata closes the node after
// writing.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::devmapper {

struct ChangedPaths {
  std::set<std::string> paths;
  // Watched paths whose node is gone, or that can't be watched any more: LVM should be asked again
  // which devices it uses. They are no longer watched.
  std::set<std::string> gone;
};

// No privilege beyond reading the nodes. One thread at a time.
class PvWatch {
 public:
  [[nodiscard]] static Result<PvWatch> open();

  // Readable when there is something to drain. Non-blocking; don't read it yourself.
  [[nodiscard]] int fd() const { return inotify_.get(); }

  // From now on exactly `paths` are watched; those that were before stay watched without a gap.
  // Errors name the path that can't be watched; the others are watched even so.
  [[nodiscard]] Status watch(std::span<const std::string> paths);

  // What has changed since the last time; never waits. When the kernel had to drop events, every
  // watched path counts as changed.
  [[nodiscard]] Result<ChangedPaths> drain();

 private:
  explicit PvWatch(UniqueFd inotify) : inotify_(std::move(inotify)) {}

  UniqueFd inotify_;
  // Several paths may lead to one node, which inotify watches once.
  std::map<std::string, int> watch_by_path_;
};

}  // namespace lvmd::devmapper
