// Detects writes to PVs with inotify: a program that changes LVM's metadata closes the device node
// after the write.
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
  // Paths whose node is gone or cannot be watched any more. They are no longer watched. The caller
  // should ask LVM again for its devices.
  std::set<std::string> gone;
};

// Needs read access to the nodes. Not thread-safe.
class PvWatch {
 public:
  [[nodiscard]] static Result<PvWatch> open();

  // For poll(): readable if drain() has results. The caller must not read it.
  [[nodiscard]] int fd() const { return inotify_.get(); }

  // Replaces the watched paths with `paths`. Paths in both sets stay watched without a gap. If a
  // path cannot be watched, returns an error with the first such path; the other paths are watched.
  [[nodiscard]] Status watch(std::span<const std::string> paths);

  // The paths that have changed since the last call; does not block. If the kernel has dropped
  // events, all watched paths count as changed.
  [[nodiscard]] Result<ChangedPaths> drain();

 private:
  explicit PvWatch(UniqueFd inotify) : inotify_(std::move(inotify)) {}

  UniqueFd inotify_;
  // Several paths can lead to the same node, which has one inotify watch.
  std::map<std::string, int> watch_by_path_;
};

}  // namespace lvmd::devmapper
