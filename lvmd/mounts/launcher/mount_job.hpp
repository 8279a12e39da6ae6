// Checks the server's jobs for mounters again, in the process that starts the mounters.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::mounts {

// What the configuration permits a job to use.
struct JobLimits {
  std::span<const std::string> roots;
  std::span<const std::string> volume_groups;
  // Absent: lvmd is no CSI driver.
  std::optional<model::KubeletRoot> kubelet{};
};

// The job with the limits' roots as its own. InvalidArgument if it has no operation, or names
// another volume group, a target outside the roots that is not a target of kubelet, or a file
// system or option that lvmd does not support. Pure.
[[nodiscard]] Result<internal::MountJob> checked_mount_job(const internal::MountJob& job,
                                                           const JobLimits& limits);

}  // namespace lvmd::mounts
