#include "lvmd/mounts/launcher/mount_job.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::mounts {
namespace {

using Words = std::span<const std::string>;

Status check_device(const internal::VolumeDevice& device, Words volume_groups) {
  if (std::ranges::find(volume_groups, device.volume_group()) == volume_groups.end())
    return fail(Code::kInvalidArgument, "volume group \"{}\" is not configured",
                device.volume_group());
  return model::check_lv_name("name", device.name());
}

Status check_target(std::string_view field, const std::string& target, Words roots) {
  const auto place = model::check_mount_target(field, target, roots);
  return place ? Status{} : std::unexpected(place.error());
}

Status check_mount(const internal::MountVolume& mount, Words roots, Words volume_groups) {
  if (auto valid = check_device(mount.device(), volume_groups); !valid) return valid;
  if (auto valid = check_target("target", mount.target(), roots); !valid) return valid;
  if (!mount.fs_type().empty())
    if (auto valid = model::check_file_system("fs_type", mount.fs_type()); !valid) return valid;
  for (const std::string& option : mount.options())
    if (auto valid = model::check_mount_option("options", option); !valid) return valid;
  if (mount.format() && (mount.fs_type().empty() || !mount.bind_from().empty()))
    return fail(Code::kInvalidArgument, "format without fs_type, or with bind_from");
  if (mount.bind_from().empty()) return {};
  return check_target("bind_from", mount.bind_from(), roots);
}

// InvalidArgument unless the target has one of the kinds.
Status check_kubelet(const internal::KubeletTarget& message, const JobLimits& limits,
                     std::initializer_list<model::TargetKind> kinds) {
  if (!limits.kubelet) return fail(Code::kInvalidArgument, "lvmd.yaml has no csi section");
  const auto target = ipc::from_proto(message);
  if (!target) return std::unexpected(target.error());
  if (std::ranges::find(kinds, target->kind) == kinds.end())
    return fail(Code::kInvalidArgument, "a target of kubelet has the wrong kind for this job");
  return {};
}

Status check_unmount(const internal::UnmountVolume& unmount, const JobLimits& limits) {
  using enum model::TargetKind;
  const int given = (unmount.has_device() ? 1 : 0) + (unmount.has_kubelet_target() ? 1 : 0) +
                    (unmount.target().empty() ? 0 : 1);
  if (given != 1)
    return fail(Code::kInvalidArgument, "not one of a target, a volume and a target of kubelet");
  if (unmount.has_device()) return check_device(unmount.device(), limits.volume_groups);
  if (unmount.has_kubelet_target())
    return check_kubelet(unmount.kubelet_target(), limits,
                         {kStaging, kBlockStaging, kPodMount, kPodDevice});
  return check_target("target", unmount.target(), limits.roots);
}

Status check_usage(const internal::GetUsage& usage, const JobLimits& limits) {
  using enum model::TargetKind;
  if (auto valid = check_device(usage.device(), limits.volume_groups); !valid) return valid;
  if (usage.has_kubelet_target() && !usage.target().empty())
    return fail(Code::kInvalidArgument, "both a target and a target of kubelet");
  if (usage.has_kubelet_target())
    return check_kubelet(usage.kubelet_target(), limits, {kStaging, kPodMount, kPodDevice});
  return usage.target().empty() ? Status{} : check_target("target", usage.target(), limits.roots);
}

Status check_flags(const google::protobuf::RepeatedPtrField<std::string>& flags,
                   const std::string& fs_type) {
  if (!fs_type.empty())
    if (auto valid = model::check_file_system("fs_type", fs_type); !valid) return valid;
  const std::vector<std::string> list{flags.begin(), flags.end()};
  const auto options = model::parse_csi_options(
      list, fs_type.empty() ? model::kDefaultFileSystem : std::string_view{fs_type});
  return options ? Status{} : std::unexpected(options.error());
}

Status check_stage(const internal::StageVolume& stage, const JobLimits& limits) {
  using model::TargetKind;
  if (auto valid = check_device(stage.device(), limits.volume_groups); !valid) return valid;
  if (auto valid =
          check_kubelet(stage.target(), limits, {TargetKind::kStaging, TargetKind::kBlockStaging});
      !valid)
    return valid;
  return check_flags(stage.mount_flags(), stage.fs_type());
}

Status check_publish(const internal::PublishVolume& publish, const JobLimits& limits) {
  using model::TargetKind;
  if (auto valid = check_device(publish.device(), limits.volume_groups); !valid) return valid;
  if (auto valid =
          check_kubelet(publish.target(), limits, {TargetKind::kPodMount, TargetKind::kPodDevice});
      !valid)
    return valid;
  if (publish.target().kind() == internal::KubeletTarget::POD_MOUNT) {
    if (auto valid = check_kubelet(publish.staging(), limits, {TargetKind::kStaging}); !valid)
      return valid;
    return check_flags(publish.mount_flags(), publish.fs_type());
  }
  if (publish.has_staging() || !publish.fs_type().empty() || !publish.mount_flags().empty())
    return fail(Code::kInvalidArgument, "a published device with fields of a file system");
  return {};
}

}  // namespace

Result<internal::MountJob> checked_mount_job(const internal::MountJob& job,
                                             const JobLimits& limits) {
  const auto& [roots, volume_groups, kubelet] = limits;
  Status valid = fail(Code::kInvalidArgument, "a mount job without a job");
  if (job.has_mount()) valid = check_mount(job.mount(), roots, volume_groups);
  if (job.has_unmount()) valid = check_unmount(job.unmount(), limits);
  if (job.has_list()) valid = Status{};
  if (job.has_grow()) valid = check_device(job.grow(), volume_groups);
  if (job.has_usage()) valid = check_usage(job.usage(), limits);
  if (job.has_stage()) valid = check_stage(job.stage(), limits);
  if (job.has_publish()) valid = check_publish(job.publish(), limits);
  if (!valid) return std::unexpected(valid.error());
  internal::MountJob checked = job;
  checked.mutable_roots()->Assign(roots.begin(), roots.end());
  checked.clear_kubelet();
  if (kubelet) *checked.mutable_kubelet() = ipc::to_proto(*kubelet);
  return checked;
}

}  // namespace lvmd::mounts
