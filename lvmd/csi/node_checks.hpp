// Checks of the calls of csi.v1.Node by their arguments alone. Pure. Errors are InvalidArgument and
// name the field.
#pragma once

#include <string>

#include "csi.pb.h"
#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::csi {

// A checked call.
struct NodeCall {
  // The volume's handle.
  std::string volume;
  // Without the values of the volume's device.
  internal::MountJob job;
};

[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeStageVolumeRequest& request,
                                     const model::KubeletRoot& root);
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeUnstageVolumeRequest& request,
                                     const model::KubeletRoot& root);
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodePublishVolumeRequest& request,
                                     const model::KubeletRoot& root);
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeUnpublishVolumeRequest& request,
                                     const model::KubeletRoot& root);
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeGetVolumeStatsRequest& request,
                                     const model::KubeletRoot& root);
// The job is empty if the request has no path of a mount. The path in the pod comes before that of
// staging.
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeGetVolumeHealthRequest& request,
                                     const model::KubeletRoot& root);
// The job of a raw block volume is empty: it has nothing to grow.
[[nodiscard]] Result<NodeCall> check(const ::csi::v1::NodeExpandVolumeRequest& request,
                                     const model::KubeletRoot& root);

// The device in the job for a mounter. Null if the job has none, because it needs no volume.
[[nodiscard]] internal::VolumeDevice* device_in(internal::MountJob& job);

}  // namespace lvmd::csi
