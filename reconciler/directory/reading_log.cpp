#include "reconciler/directory/reading_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler::directory {

void ReadingLog::tell(const FolderReading& reading, const FolderStatus& status) {
  if (status.distrust != told_.distrust) {
    if (status.distrust.empty())
      log::notice("the folder of manifests is trusted again");
    else
      log::error(fmt::format("{}. Until then no volume is removed for a missing manifest",
                             status.distrust));
  }
  for (const FileProblem& problem : status.problems)
    if (std::ranges::count(told_.problems, problem) == 0)
      log::error(fmt::format(
          "{}:{}: {}. The file is ignored; until it is repaired no volume is removed for a missing "
          "manifest",
          problem.name, problem.line, problem.message));
  for (const std::string& name : reading.skipped_in)
    if (told_skipped_.insert(name).second)
      log::notice(fmt::format("{}: documents that are no LogicalVolume are skipped", name));
  told_ = status;
}

}  // namespace lvmd::reconciler::directory
