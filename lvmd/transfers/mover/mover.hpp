// One transfer, from its record's first line to its last.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// Does the job, and leaves a record of how it ended. An Error when there is no such record: another
// mover has the transfer, or the record can't be written. To be called once, in a process that does
// nothing else.
[[nodiscard]] Status do_transfer(const internal::MoverJob& job);

}  // namespace lvmd::transfers::mover
