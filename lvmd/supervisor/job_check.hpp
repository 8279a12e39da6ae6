// A job as the server asks for it, checked by who starts its mover: no frame is trusted.
#pragma once

#include <filesystem>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/transfers.hpp"

namespace lvmd::supervisor {

// What transfer::check_job() checks, that a local repository is below a root of lvmd.yaml, and that
// the kernel calls the device by the volume's name. `job` has its settings. `sysfs` is "/sys".
// An Error names the field; never has it a credential in it.
[[nodiscard]] Status check_mover_job(const internal::MoverJob& job, const config::Transfers& limits,
                                     const std::filesystem::path& sysfs);

}  // namespace lvmd::supervisor
