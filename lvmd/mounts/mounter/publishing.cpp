#include "lvmd/mounts/mounter/publishing.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/mounting.hpp"
#include "lvmd/mounts/mounter/published_device.hpp"
#include "lvmd/mounts/mounter/staging.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {
namespace {

// Whether something is mounted at the place, which need not exist.
Result<bool> is_mount_point(const model::MountPlace& place) {
  const auto directory = open_directory(place, Missing::kLeave);
  if (!directory && directory.error().code == Code::kNotFound) return false;
  if (!directory) return std::unexpected(directory.error());
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  return mounts::mounted_at(**table, directory->path) != nullptr;
}

// Stages the volume if it is neither staged nor published at the target.
Status stage_if_missing(const internal::PublishVolume& job, const model::KubeletRoot& kubelet,
                        const model::MountPlace& target, const model::MountPlace& staging) {
  for (const model::MountPlace* const place : {&target, &staging}) {
    const auto mounted = is_mount_point(*place);
    if (!mounted) return std::unexpected(mounted.error());
    if (*mounted) return {};
  }
  internal::StageVolume stage;
  *stage.mutable_device() = job.device();
  *stage.mutable_target() = job.staging();
  stage.set_fs_type(job.fs_type());
  *stage.mutable_mount_flags() = job.mount_flags();
  const auto staged = stage_volume(stage, kubelet);
  return staged ? Status{} : std::unexpected(staged.error());
}

Result<internal::MountedVolume> publish_file_system(const internal::PublishVolume& job,
                                                    const model::KubeletTarget& target,
                                                    const model::KubeletRoot& kubelet,
                                                    const OpenVolume& volume) {
  const auto staging = ipc::from_proto(job.staging());
  if (!staging) return std::unexpected(staging.error());
  const std::vector<std::string> flags{job.mount_flags().begin(), job.mount_flags().end()};
  auto options = model::parse_csi_options(
      flags, job.fs_type().empty() ? model::kDefaultFileSystem : std::string_view{job.fs_type()});
  if (!options) return std::unexpected(std::move(options.error()));
  const model::MountPlace place = place_of(target, kubelet);
  const model::MountPlace from = place_of(*staging, kubelet);
  if (auto staged = stage_if_missing(job, kubelet, place, from); !staged)
    return std::unexpected(std::move(staged.error()));
  MountRequest request{.target = path_of(place), .place = place};
  request.missing = Missing::kCreateLast;
  request.read_only = job.read_only() || options->read_only;
  request.content.fs_type = job.fs_type();
  request.options = std::move(*options);
  request.nosuid = false;
  request.nodev = false;
  request.bind_from =
      BindSource{.field = "its staging target", .target = path_of(from), .place = from};
  return mount_as_requested(volume, request);
}

// Fails if a target of kubelet for another pod has the volume.
Status check_no_other_pod(const OpenVolume& volume, const model::KubeletTarget& target,
                          const model::KubeletRoot& kubelet) {
  const std::array roots{kubelet.path};
  const auto mounts = mounts_below_roots(roots);
  if (!mounts) return std::unexpected(mounts.error());
  for (const MountBelow& mount : *mounts) {
    const auto other = model::parse_kubelet_target("target", mount.target, kubelet);
    if (!other || other->pod.empty() || *other == target) continue;
    if (mount.point.device == volume.number || is_device_node(mount.point, volume.number))
      return fail(Code::kFailedPrecondition,
                  "volume {} is published at {}, and its access mode permits one pod: wait until "
                  "that pod has ended",
                  volume.name, mount.target)
          .because(reason::kPublishedElsewhere)
          .with(key::kTarget, mount.target);
  }
  return {};
}

}  // namespace

Result<internal::Mounts> publish_volume(const internal::PublishVolume& job,
                                        const model::KubeletRoot& kubelet) {
  const auto target = ipc::from_proto(job.target());
  if (!target) return std::unexpected(target.error());
  const auto volume = open_volume(job.device());
  if (!volume) return std::unexpected(volume.error());
  if (job.single_writer())
    if (auto alone = check_no_other_pod(*volume, *target, kubelet); !alone)
      return std::unexpected(std::move(alone.error()));
  auto mounted = target->kind == model::TargetKind::kPodDevice
                     ? publish_device(*volume, place_of(*target, kubelet),
                                      job.read_only() || !job.device().writable())
                     : publish_file_system(job, *target, kubelet, *volume);
  if (!mounted) return std::unexpected(std::move(mounted.error()));
  internal::Mounts mounts;
  *mounts.add_mounts() = std::move(*mounted);
  return mounts;
}

}  // namespace lvmd::mounts::mounter
