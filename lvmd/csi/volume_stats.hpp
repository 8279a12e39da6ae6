// The usage of a volume as CSI returns it. Pure.
#pragma once

#include "csi.pb.h"
#include "lvmd/mounts/service/mounter_client.hpp"
#include "lvmd/v1/mount.pb.h"

namespace lvmd::csi {

// Bytes, and inodes if the file system has a fixed number of them. Of a raw block volume only the
// total of the bytes.
[[nodiscard]] ::csi::v1::NodeGetVolumeStatsResponse to_stats(const v1::GetUsageResponse& usage);

// CSI has the code NOT_FOUND when nothing is mounted at the path; MountService has
// FAILED_PRECONDITION.
[[nodiscard]] mounts::MountResult as_stats_result(mounts::MountResult result);

// A volume that is not mounted has no usage, but a health.
[[nodiscard]] mounts::MountResult as_health_result(mounts::MountResult result);

}  // namespace lvmd::csi
