// A job as the server asks for it, checked by who starts its mover: no frame is trusted.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/transfer_settings.hpp"

namespace lvmd::transfers {

// What check_job() checks, that a local repository is below a root of lvmd.yaml, that
// the volume's group is one of `volume_groups`, the configured ones, and that the kernel calls the
// device by the volume's name and uuid. `job` has its settings. `sysfs` is "/sys".
// An Error names the field; never has it a credential in it.
[[nodiscard]] Status check_mover_job(const internal::MoverJob& job,
                                     const config::TransferSettings& limits,
                                     std::span<const std::string> volume_groups,
                                     const std::filesystem::path& sysfs);

}  // namespace lvmd::transfers
