// Ensures that a group has one worker at a time (P-RUN-10). A worker that hangs in the kernel keeps
// its lock, so its successor waits.
#pragma once

#include <filesystem>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::volumes::worker {

// Takes <directory>/<vg>.lock, without waiting, until the descriptor is closed, and writes this
// process's ID into it. FailedPrecondition, with the process's ID, if another process holds it. The
// file is never removed: otherwise two processes could lock two files of the same name.
[[nodiscard]] Result<UniqueFd> take_vg_lock_file(const std::filesystem::path& directory,
                                                 std::string_view volume_group);

}  // namespace lvmd::volumes::worker
