#include "lvmd/csi/node_checks.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::csi {
namespace {

using ::csi::v1::VolumeCapability;
using model::TargetKind;

constexpr const char* kVolumeId = "volume_id";
constexpr const char* kStagingPath = "staging_target_path";
constexpr const char* kTargetPath = "target_path";
constexpr const char* kVolumePath = "volume_path";
constexpr const char* kPublishPath = "volume_publish_path";

Failure missing(std::string_view field) {
  return fail(Code::kInvalidArgument, "{} must be set", field)
      .because(reason::kInvalidCombination)
      .with(key::kField, field);
}

Status require(std::string_view field, std::string_view value) {
  if (value.empty()) return missing(field);
  return {};
}

// The target at `path`, which is of one of these kinds.
Result<internal::KubeletTarget> target_at(std::string_view field, const std::string& path,
                                          std::initializer_list<TargetKind> kinds,
                                          const model::KubeletRoot& root) {
  if (auto given = require(field, path); !given) return std::unexpected(given.error());
  const auto target = model::parse_kubelet_target(field, path, root);
  if (!target) return std::unexpected(target.error());
  for (const TargetKind kind : kinds)
    if (target->kind == kind) return ipc::to_proto(*target);
  return fail(Code::kInvalidArgument,
              "{} \"{}\" is a path of kubelet for another kind of volume or another call", field,
              path)
      .because(reason::kInvalidTarget)
      .about(field, path);
}

bool is_of_one_node(VolumeCapability::AccessMode::Mode mode) {
  constexpr std::array kModes{VolumeCapability::AccessMode::SINGLE_NODE_WRITER,
                              VolumeCapability::AccessMode::SINGLE_NODE_READER_ONLY,
                              VolumeCapability::AccessMode::SINGLE_NODE_SINGLE_WRITER,
                              VolumeCapability::AccessMode::SINGLE_NODE_MULTI_WRITER};
  return std::ranges::find(kModes, mode) != kModes.end();
}

Status check_capability(const VolumeCapability& capability) {
  if (!is_of_one_node(capability.access_mode().mode())) {
    const std::string mode =
        VolumeCapability::AccessMode::Mode_Name(capability.access_mode().mode());
    return fail(Code::kInvalidArgument,
                "volume_capability.access_mode {} is not supported: a volume is on one node", mode)
        .because(reason::kInvalidAccessType)
        .about("volume_capability.access_mode", mode);
  }
  if (capability.has_block()) return {};
  if (!capability.has_mount()) return missing("volume_capability.access_type");
  const VolumeCapability::MountVolume& mount = capability.mount();
  if (!mount.volume_mount_group().empty())
    return fail(Code::kInvalidArgument,
                "volume_capability.mount.volume_mount_group is not supported: kubelet sets the "
                "group of the files")
        .because(reason::kInvalidCombination)
        .about("volume_capability.mount.volume_mount_group", mount.volume_mount_group());
  if (!mount.fs_type().empty())
    if (auto valid = model::check_file_system("volume_capability.mount.fs_type", mount.fs_type());
        !valid)
      return valid;
  const std::vector<std::string> flags{mount.mount_flags().begin(), mount.mount_flags().end()};
  const auto options = model::parse_csi_options(flags, mount.fs_type());
  return options ? Status{} : std::unexpected(options.error());
}

// Checks what every call that mounts has.
template <typename Request>
Status check_mounting(const Request& request) {
  if (auto given = require(kVolumeId, request.volume_id()); !given) return given;
  if (!request.has_volume_capability()) return missing("volume_capability");
  return check_capability(request.volume_capability());
}

NodeCall unmount(const std::string& volume, internal::KubeletTarget target) {
  NodeCall call{.volume = volume, .job = {}};
  *call.job.mutable_unmount()->mutable_kubelet_target() = std::move(target);
  return call;
}

bool is_block_path(std::string_view path, const model::KubeletRoot& root) {
  if (model::published_device(path, root)) return true;
  const auto target = model::parse_kubelet_target(kVolumePath, path, root);
  return target &&
         (target->kind == TargetKind::kPodDevice || target->kind == TargetKind::kBlockStaging);
}

// A call for the usage of the mount at `path`.
Result<NodeCall> usage(const std::string& volume, std::string_view field, const std::string& path,
                       const model::KubeletRoot& root) {
  if (auto given = require(kVolumeId, volume); !given) return std::unexpected(given.error());
  NodeCall call{.volume = volume, .job = {}};
  internal::KubeletTarget& target = *call.job.mutable_usage()->mutable_kubelet_target();
  if (const auto device = model::published_device(path, root)) {
    target = ipc::to_proto(*device);
    return call;
  }
  auto given = target_at(
      field, path, {TargetKind::kStaging, TargetKind::kPodMount, TargetKind::kPodDevice}, root);
  if (!given) return std::unexpected(given.error());
  target = std::move(*given);
  return call;
}

}  // namespace

Result<NodeCall> check(const ::csi::v1::NodeStageVolumeRequest& request,
                       const model::KubeletRoot& root) {
  if (auto valid = check_mounting(request); !valid) return std::unexpected(valid.error());
  const VolumeCapability& capability = request.volume_capability();
  const TargetKind kind = capability.has_block() ? TargetKind::kBlockStaging : TargetKind::kStaging;
  auto target = target_at(kStagingPath, request.staging_target_path(), {kind}, root);
  if (!target) return std::unexpected(target.error());
  NodeCall call{.volume = request.volume_id(), .job = {}};
  internal::StageVolume& stage = *call.job.mutable_stage();
  *stage.mutable_target() = std::move(*target);
  stage.set_fs_type(capability.mount().fs_type());
  *stage.mutable_mount_flags() = capability.mount().mount_flags();
  return call;
}

Result<NodeCall> check(const ::csi::v1::NodeUnstageVolumeRequest& request,
                       const model::KubeletRoot& root) {
  if (auto given = require(kVolumeId, request.volume_id()); !given)
    return std::unexpected(given.error());
  auto target = target_at(kStagingPath, request.staging_target_path(),
                          {TargetKind::kStaging, TargetKind::kBlockStaging}, root);
  if (!target) return std::unexpected(target.error());
  return unmount(request.volume_id(), std::move(*target));
}

Result<NodeCall> check(const ::csi::v1::NodePublishVolumeRequest& request,
                       const model::KubeletRoot& root) {
  if (auto valid = check_mounting(request); !valid) return std::unexpected(valid.error());
  const VolumeCapability& capability = request.volume_capability();
  const bool is_block = capability.has_block();
  auto staging = target_at(kStagingPath, request.staging_target_path(),
                           {is_block ? TargetKind::kBlockStaging : TargetKind::kStaging}, root);
  if (!staging) return std::unexpected(staging.error());
  auto target = target_at(kTargetPath, request.target_path(),
                          {is_block ? TargetKind::kPodDevice : TargetKind::kPodMount}, root);
  if (!target) return std::unexpected(target.error());
  NodeCall call{.volume = request.volume_id(), .job = {}};
  internal::PublishVolume& publish = *call.job.mutable_publish();
  *publish.mutable_target() = std::move(*target);
  if (!is_block) *publish.mutable_staging() = std::move(*staging);
  publish.set_read_only(request.readonly() ||
                        capability.access_mode().mode() ==
                            VolumeCapability::AccessMode::SINGLE_NODE_READER_ONLY);
  publish.set_single_writer(capability.access_mode().mode() ==
                            VolumeCapability::AccessMode::SINGLE_NODE_SINGLE_WRITER);
  publish.set_fs_type(capability.mount().fs_type());
  *publish.mutable_mount_flags() = capability.mount().mount_flags();
  return call;
}

Result<NodeCall> check(const ::csi::v1::NodeUnpublishVolumeRequest& request,
                       const model::KubeletRoot& root) {
  if (auto given = require(kVolumeId, request.volume_id()); !given)
    return std::unexpected(given.error());
  auto target = target_at(kTargetPath, request.target_path(),
                          {TargetKind::kPodMount, TargetKind::kPodDevice}, root);
  if (!target) return std::unexpected(target.error());
  return unmount(request.volume_id(), std::move(*target));
}

Result<NodeCall> check(const ::csi::v1::NodeGetVolumeStatsRequest& request,
                       const model::KubeletRoot& root) {
  return usage(request.volume_id(), kVolumePath, request.volume_path(), root);
}

Result<NodeCall> check(const ::csi::v1::NodeGetVolumeHealthRequest& request,
                       const model::KubeletRoot& root) {
  if (!request.volume_publish_path().empty())
    return usage(request.volume_id(), kPublishPath, request.volume_publish_path(), root);
  if (auto given = require(kVolumeId, request.volume_id()); !given)
    return std::unexpected(given.error());
  NodeCall call{.volume = request.volume_id(), .job = {}};
  if (request.staging_target_path().empty()) return call;
  auto staging = target_at(kStagingPath, request.staging_target_path(),
                           {TargetKind::kStaging, TargetKind::kBlockStaging}, root);
  if (!staging) return std::unexpected(staging.error());
  if (staging->kind() == internal::KubeletTarget::STAGING)
    *call.job.mutable_usage()->mutable_kubelet_target() = std::move(*staging);
  return call;
}

Result<NodeCall> check(const ::csi::v1::NodeExpandVolumeRequest& request,
                       const model::KubeletRoot& root) {
  if (auto given = require(kVolumeId, request.volume_id()); !given)
    return std::unexpected(given.error());
  if (auto given = require(kVolumePath, request.volume_path()); !given)
    return std::unexpected(given.error());
  NodeCall call{.volume = request.volume_id(), .job = {}};
  const bool is_block = request.has_volume_capability()
                            ? request.volume_capability().has_block()
                            : is_block_path(request.volume_path(), root);
  if (!is_block) call.job.mutable_grow();
  return call;
}

internal::VolumeDevice* device_in(internal::MountJob& job) {
  if (job.has_stage()) return job.mutable_stage()->mutable_device();
  if (job.has_publish()) return job.mutable_publish()->mutable_device();
  if (job.has_grow()) return job.mutable_grow();
  if (job.has_usage()) return job.mutable_usage()->mutable_device();
  return nullptr;
}

}  // namespace lvmd::csi
