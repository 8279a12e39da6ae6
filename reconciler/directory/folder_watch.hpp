// Notices that the folder of manifests changed. Rules: R-DIR-3.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::reconciler::directory {

// Not safe from several threads.
class FolderWatch {
 public:
  [[nodiscard]] static Result<FolderWatch> open(std::string path);

  // Readable when there is something for drain().
  [[nodiscard]] int fd() const { return inotify_.get(); }

  // Takes all pending events. True when one may have changed what the folder says.
  [[nodiscard]] bool drain();

  // Watches the directory that the path leads to now. True when that is another one than before, or
  // when there is none.
  [[nodiscard]] bool follow();

  // follow() found a directory to watch.
  [[nodiscard]] bool has_folder() const { return watch_ >= 0; }

 private:
  FolderWatch(std::string path, UniqueFd inotify)
      : path_(std::move(path)), inotify_(std::move(inotify)) {}

  // A file being written isn't read before it is complete: only a link is complete when it appears.
  [[nodiscard]] bool appears_complete(const char* name) const;

  std::string path_;
  UniqueFd inotify_;
  int watch_ = -1;
};

}  // namespace lvmd::reconciler::directory
