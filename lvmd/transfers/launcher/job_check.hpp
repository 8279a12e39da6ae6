// Checks the server's jobs before their movers start: no frame is trusted.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/transfer_settings.hpp"

namespace lvmd::transfers {

// Checks what check_job() checks, and that a local repository is below a root of lvmd.yaml, that
// the volume's group is one of the configured `volume_groups`, and that the device has the volume's
// device-mapper name and UUID. `job` has its settings. `sysfs` is "/sys". An Error names the field
// and never contains a credential.
[[nodiscard]] Status check_mover_job(const internal::MoverJob& job,
                                     const config::TransferSettings& limits,
                                     std::span<const std::string> volume_groups,
                                     const std::filesystem::path& sysfs);

}  // namespace lvmd::transfers
