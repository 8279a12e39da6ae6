// Logs the problems of the folder, once for each cause.
#pragma once

#include <set>
#include <string>

#include "reconciler/directory/folder.hpp"
#include "reconciler/directory/status_file.hpp"

namespace lvmd::reconciler::directory {

class ReadingLog {
 public:
  // Logs the differences from the last call [R-DEL-6, R-DOC-1].
  void report(const FolderReading& reading, const FolderStatus& status);

 private:
  FolderStatus reported_;
  std::set<std::string> reported_skipped_;
};

}  // namespace lvmd::reconciler::directory
