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
  void tell(const FolderReading& reading, const FolderStatus& status);

 private:
  FolderStatus told_;
  std::set<std::string> told_skipped_;
};

}  // namespace lvmd::reconciler::directory
