// Performs one transfer.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// Performs the job and writes its result into the record. Returns an Error only when there is no
// such record: another mover holds the transfer's lock, or the record cannot be written. Call it
// once, in a process with a single thread that does nothing else.
[[nodiscard]] Status do_transfer(const internal::MoverJob& job);

}  // namespace lvmd::transfers::mover
