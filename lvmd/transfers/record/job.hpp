// What a mover is asked to do. Checked by whoever takes it over from another process.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// A backup and a restore are of a volume, the others of a repository alone.
[[nodiscard]] bool is_of_volume(v1::Operation operation);

// All that can be known from the job alone: id, names, location, options, certificates,
// credentials, and that the fields fit the operation. Not the settings. InvalidArgument naming the
// field; never with a credential in it.
[[nodiscard]] Status check_job(const internal::MoverJob& job);

// Paths are absolute, and there is a limit for stalling.
[[nodiscard]] Status check_settings(const internal::MoverSettings& settings);

}  // namespace lvmd::transfers
