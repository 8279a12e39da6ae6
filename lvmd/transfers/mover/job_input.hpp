// The mover's job, from its standard input [P-XFER-5].
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// Reads a job from a memfd that nobody can change any more (F_SEAL_WRITE, SHRINK, GROW), checks it,
// and wipes what it was read into. FailedPrecondition for anything that isn't such a file.
[[nodiscard]] Result<internal::MoverJob> read_job(int fd);

}  // namespace lvmd::transfers::mover
