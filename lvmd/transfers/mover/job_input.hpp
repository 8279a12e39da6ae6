// Reads the job of the mover from its standard input [P-XFER-5].
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// Reads a job from a memfd that can no longer be changed (F_SEAL_WRITE, SHRINK, GROW), checks it,
// and wipes the buffer. FailedPrecondition when the file is not such a memfd or belongs to another
// version of lvmd; InvalidArgument when the job is not valid.
[[nodiscard]] Result<internal::MoverJob> read_job(int fd);

}  // namespace lvmd::transfers::mover
