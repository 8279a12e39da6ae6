// A job with its credentials, as a file that nobody can change and that has no name [P-XFER-5].
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers {

// A sealed memfd with the serialized job, to be read from its beginning; close-on-exec.
[[nodiscard]] Result<UniqueFd> seal_job(const internal::MoverJob& job);

}  // namespace lvmd::transfers
