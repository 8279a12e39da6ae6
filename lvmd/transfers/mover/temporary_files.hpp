// Where restic keeps its temporary files [P-XFER-19].
#pragma once

#include <cstdint>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

// The size of a file system in memory for restic's temporary files, in bytes: a quarter of the
// mover's memory limit. 0 if restic may need more, or if the mover has no limit: then the files are
// in restic's cache directory, on disk. Pure.
[[nodiscard]] std::uint64_t temporary_memory(const internal::MoverJob& job);

}  // namespace lvmd::transfers::mover
