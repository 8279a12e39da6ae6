// A job with its credentials as an immutable file without a name [P-XFER-5].
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers {

// Returns a sealed memfd that contains the serialized job. Its offset is 0; close-on-exec is set.
[[nodiscard]] Result<UniqueFd> seal_job(const internal::MoverJob& job);

}  // namespace lvmd::transfers
