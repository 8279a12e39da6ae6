// The first frame of every control channel says which version of lvmd its supervisor is of. A child
// of another one understands the frames by luck alone: it ends. The channels between children need
// no such word, because one supervisor has made both ends of each.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::ipc {

// The exit code of a child that is of another version than its supervisor.
inline constexpr int kExitOtherVersion = 78;

// This program's.
[[nodiscard]] std::string_view version();

// FailedPrecondition, naming both versions, unless `theirs` is version().
[[nodiscard]] Status check_version(std::string_view theirs);

// Ends the process with kExitOtherVersion, and says why in the log, unless `theirs` is version().
void require_version(std::string_view theirs);

}  // namespace lvmd::ipc
