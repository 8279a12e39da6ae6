#include "lvmd/ipc/version.hpp"

#include <unistd.h>

#include "lvmd/base/log.hpp"

namespace lvmd::ipc {

std::string_view version() { return LVMD_VERSION; }

Status check_version(std::string_view theirs) {
  if (theirs == version()) return {};
  return fail(Code::kFailedPrecondition,
              "this program is of lvmd {}, but it was started by lvmd {}: restart lvmd when its "
              "files are all of one version",
              version(), theirs.empty() ? "of an older version" : theirs);
}

void require_version(std::string_view theirs) {
  const auto checked = check_version(theirs);
  if (checked) return;
  log::error(checked.error().message);
  ::_exit(kExitOtherVersion);
}

}  // namespace lvmd::ipc
