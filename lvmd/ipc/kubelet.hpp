// Converts kubelet's targets between lvmd/model and protobuf. Pure.
#pragma once

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::ipc {

[[nodiscard]] internal::KubeletTarget to_proto(const model::KubeletTarget& target);
[[nodiscard]] internal::KubeletRoot to_proto(const model::KubeletRoot& root);

// InvalidArgument, naming the part, if the target is not valid (check_kubelet_target()).
[[nodiscard]] Result<model::KubeletTarget> from_proto(const internal::KubeletTarget& target);
[[nodiscard]] model::KubeletRoot from_proto(const internal::KubeletRoot& root);

}  // namespace lvmd::ipc
