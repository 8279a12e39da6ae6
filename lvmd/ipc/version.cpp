#include "lvmd/ipc/version.hpp"

#include <unistd.h>

#include "lvmd/base/log.hpp"

namespace lvmd::ipc {

std::string_view version() { return LVMD_VERSION; }

Status check_version(std::string_view theirs) {
  if (theirs == version()) return {};
  return fail(
      Code::kFailedPrecondition,
      "this program belongs to lvmd {}, but was started by lvmd {}: install all files of one "
      "version, then restart lvmd",
      version(), theirs.empty() ? "of an older version" : theirs);
}

void require_version(std::string_view theirs) {
  const auto checked = check_version(theirs);
  if (checked) return;
  log::error(checked.error().message);
  ::_exit(kExitOtherVersion);
}

}  // namespace lvmd::ipc
