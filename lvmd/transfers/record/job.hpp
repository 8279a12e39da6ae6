// Checks of the job of a mover. Every process that receives a job from another process checks it.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// Whether the operation needs a volume: backup and restore. The others need only a repository.
[[nodiscard]] bool needs_volume(v1::Operation operation);

// Checks everything that the job alone determines: id, names, location, options, certificates,
// credentials, and that the fields fit the operation. Does not check the settings. InvalidArgument
// with the name of the field; the message never contains a secret.
[[nodiscard]] Status check_job(const internal::MoverJob& job);

// Checks that the paths are absolute and the stall limit is set. InvalidArgument otherwise.
[[nodiscard]] Status check_settings(const internal::MoverSettings& settings);

}  // namespace lvmd::transfers
