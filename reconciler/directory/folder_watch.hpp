// Detects changes of the folder of manifests. Rules: R-DIR-3.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::reconciler::directory {

// For one thread.
class FolderWatch {
 public:
  [[nodiscard]] static Result<FolderWatch> open(std::string path);

  // Readable when drain() has events to take.
  [[nodiscard]] int fd() const { return inotify_.get(); }

  // Takes all pending events. True when one of them can have changed the manifests.
  [[nodiscard]] bool drain();

  // Watches the directory at the path. True when it is another directory than before, or when there
  // is none.
  [[nodiscard]] bool follow();

  // follow() found a directory.
  [[nodiscard]] bool has_folder() const { return watch_ >= 0; }

 private:
  FolderWatch(std::string path, UniqueFd inotify)
      : path_(std::move(path)), inotify_(std::move(inotify)) {}

  // A file that is being written is read when it is complete. Only a link is complete when it
  // appears.
  [[nodiscard]] bool appears_complete(const char* name) const;

  std::string path_;
  UniqueFd inotify_;
  int watch_ = -1;
};

}  // namespace lvmd::reconciler::directory
