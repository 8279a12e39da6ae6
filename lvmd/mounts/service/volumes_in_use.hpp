// Which volumes CSI uses, from the mount table and the failed calls [P-MOUNT-20 to P-MOUNT-22].
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/model/kubelet_target.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/mounts/service/call_failures.hpp"
#include "lvmd/mounts/table/mount_table.hpp"
#include "lvmd/v1/mount.pb.h"

namespace lvmd::mounts {

// The volume of a mount; absent if the mount is not of a volume of a configured group.
using VolumeOf = std::function<std::optional<model::VolumeName>(const MountPoint&)>;

// Pure, apart from `volume_of`, which is called only for mounts at targets of kubelet. Several
// mounts at one target, or in one pod, count once.
[[nodiscard]] v1::VolumesInUse volumes_in_use(const model::KubeletRoot& kubelet,
                                              const std::vector<MountPoint>& table,
                                              const VolumeOf& volume_of,
                                              const std::vector<CallFailures::Failure>& failures);

}  // namespace lvmd::mounts
