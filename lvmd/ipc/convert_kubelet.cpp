#include <algorithm>
#include <array>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/kubelet.hpp"

namespace lvmd::ipc {
namespace {

using Kind = std::pair<model::TargetKind, internal::KubeletTarget::Kind>;

constexpr std::array kKinds{
    Kind{model::TargetKind::kStaging, internal::KubeletTarget::STAGING},
    Kind{model::TargetKind::kBlockStaging, internal::KubeletTarget::BLOCK_STAGING},
    Kind{model::TargetKind::kPodMount, internal::KubeletTarget::POD_MOUNT},
    Kind{model::TargetKind::kPodDevice, internal::KubeletTarget::POD_DEVICE},
};

}  // namespace

internal::KubeletTarget to_proto(const model::KubeletTarget& target) {
  internal::KubeletTarget message;
  for (const auto& [ours, theirs] : kKinds)
    if (ours == target.kind) message.set_kind(theirs);
  message.set_volume(target.volume);
  message.set_pod(target.pod);
  return message;
}

internal::KubeletRoot to_proto(const model::KubeletRoot& root) {
  internal::KubeletRoot message;
  message.set_path(root.path);
  message.set_driver(root.driver);
  return message;
}

Result<model::KubeletTarget> from_proto(const internal::KubeletTarget& target) {
  const auto* const kind = std::ranges::find(kKinds, target.kind(), &Kind::second);
  if (kind == kKinds.end())
    return fail(Code::kInvalidArgument, "a target of kubelet has the unknown kind {}",
                static_cast<int>(target.kind()))
        .because(reason::kInvalidTarget);
  model::KubeletTarget ours{.kind = kind->first, .volume = target.volume(), .pod = target.pod()};
  if (auto valid = model::check_kubelet_target(ours); !valid)
    return std::unexpected(std::move(valid.error()));
  return ours;
}

model::KubeletRoot from_proto(const internal::KubeletRoot& root) {
  return {.path = root.path(), .driver = root.driver()};
}

}  // namespace lvmd::ipc
