#include "reconciler/directory/reading_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler::directory {

void ReadingLog::report(const FolderReading& reading, const FolderStatus& status) {
  if (status.distrust != reported_.distrust) {
    if (status.distrust.empty())
      log::notice("the folder of manifests is trusted again");
    else
      log::error(fmt::format("{}. Until then no volume is removed for a missing manifest",
                             status.distrust));
  }
  for (const FileProblem& problem : status.problems)
    if (std::ranges::count(reported_.problems, problem) == 0)
      log::error(
          fmt::format("{}:{}: {}. The file is ignored; until it is repaired no volume is removed "
                      "for a missing manifest",
                      problem.name, problem.line, problem.message));
  for (const std::string& name : reading.skipped_in)
    if (reported_skipped_.insert(name).second)
      log::notice(fmt::format("{}: documents of other kinds than LogicalVolume are skipped", name));
  reported_ = status;
}

}  // namespace lvmd::reconciler::directory
