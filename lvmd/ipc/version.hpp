// The version check between the supervisor and its children. The first frame of every control
// channel has the version of the supervisor. A child of another version may misinterpret the
// frames, so it exits. Channels between children need no check: one supervisor has started both
// processes. systemd starts a mover from its path, so a mover's job has the version too.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::ipc {

// The exit code of a child whose version differs from the supervisor's.
inline constexpr int kExitOtherVersion = 78;

// The version of this program.
[[nodiscard]] std::string_view version();

// FailedPrecondition, with both versions, if `theirs` differs from version().
[[nodiscard]] Status check_version(std::string_view theirs);

// Logs the error and exits the process with kExitOtherVersion if `theirs` differs from version().
void require_version(std::string_view theirs);

}  // namespace lvmd::ipc
