// Keeps a second worker of the same group out: a worker that hangs in the kernel keeps its lock, so
// a successor can't start beside it.
#pragma once

#include <filesystem>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::volumes::worker {

// Takes <directory>/<vg>.lock for as long as the descriptor lives, and writes this process's id
// into it. FailedPrecondition, naming the process, when another one has it. The file stays:
// removing it would let two processes lock two files of one name.
[[nodiscard]] Result<UniqueFd> take_vg_lock_file(const std::filesystem::path& directory,
                                                 std::string_view volume_group);

}  // namespace lvmd::volumes::worker
