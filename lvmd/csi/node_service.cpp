#include "lvmd/csi/node_service.hpp"

#include <array>
#include <string>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/csi/storage_health.hpp"
#include "lvmd/csi/volume_health.hpp"
#include "lvmd/csi/volume_stats.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/volumes/service/volume_device.hpp"

namespace lvmd::csi {
namespace {

using ::csi::v1::NodeServiceCapability;
using mounts::CsiCall;

constexpr std::array kCapabilities{NodeServiceCapability::RPC::STAGE_UNSTAGE_VOLUME,
                                   NodeServiceCapability::RPC::GET_VOLUME_STATS,
                                   NodeServiceCapability::RPC::EXPAND_VOLUME,
                                   NodeServiceCapability::RPC::VOLUME_CONDITION,
                                   NodeServiceCapability::RPC::SINGLE_NODE_MULTI_WRITER,
                                   NodeServiceCapability::RPC::GET_VOLUME_HEALTH,
                                   NodeServiceCapability::RPC::GET_STORAGE_HEALTH};

::csi::v1::NodeGetInfoResponse node_info(const internal::CsiSetup& setup) {
  ::csi::v1::NodeGetInfoResponse info;
  info.set_node_id(setup.node_name());
  info.set_max_volumes_per_node(setup.max_volumes());
  (*info.mutable_accessible_topology()
        ->mutable_segments())["topology." + setup.driver_name() + "/node"] = setup.node_name();
  return info;
}

void no_content(const internal::MountReply& /*reply*/) {}

Status check_size(const volumes::HandledVolume& volume,
                  const ::csi::v1::NodeExpandVolumeRequest& request) {
  const std::int64_t required = request.capacity_range().required_bytes();
  if (required <= 0 || volume.volume->size.value >= static_cast<std::uint64_t>(required)) return {};
  return fail(Code::kUnavailable,
              "volume {} has {} bytes, less than the {} bytes of capacity_range.required_bytes: "
              "lvmd grows its file system when the volume has grown",
              request.volume_id(), volume.volume->size.value, required)
      .with(key::kRequested, required)
      .with(key::kAvailable, volume.volume->size.value);
}

}  // namespace

NodeService::NodeService(const NodeContext& context, const internal::CsiSetup& setup,
                         const server::HealthSource& health)
    : host_(context.host),
      backend_(context.backend),
      mounters_(context.mounters),
      failures_(context.failures),
      health_(health),
      root_{.path = setup.kubelet_root(), .driver = setup.driver_name()},
      info_(node_info(setup)) {}

Result<std::optional<volumes::HandledVolume>> NodeService::find_volume(NodeCall& call) const {
  internal::VolumeDevice* const device = device_in(call.job);
  // An unmount needs only the target. The job to expand a raw block volume has no device.
  if (call.job.has_unmount()) return std::nullopt;
  auto volume = volumes::volume_by_handle(*backend_.catalog(), backend_.read_model(), call.volume);
  if (!volume) return std::unexpected(volume.error());
  if (call.job.has_stage() || call.job.has_publish())
    if (auto whole = volumes::check_restored(*volume->volume); !whole)
      return std::unexpected(whole.error());
  if (device != nullptr) {
    if (auto active = volumes::check_active(volume->device); !active)
      return std::unexpected(active.error());
    *device = volume->device;
  }
  return std::optional{*std::move(volume)};
}

server::UnaryReactor* NodeService::refuse(server::Context& context,
                                          const server::CallRecord& record, CsiCall kind,
                                          const NodeCall& call, const Error& error) {
  failures_.record(call.volume, kind, error);
  return server::answer(context, record, std::unexpected(error));
}

server::UnaryReactor* NodeService::start(server::Context& context, const server::CallRecord& record,
                                         CsiCall kind, NodeCall call, MountCall::Fill fill) {
  if (!calls_->begin(call.volume))
    return server::answer(
        context, record,
        fail(Code::kAborted, "another call for volume {} is in progress: try again", call.volume)
            .because(reason::kMountUnderWay));
  if (auto begun = host_.begin_call(); !begun) {
    calls_->end(call.volume);
    return server::answer(context, record, begun);
  }
  auto* const pending = new MountCall{record, std::move(fill), host_.calls()};
  mounters_.submit(std::move(call.job),
                   [calls = calls_, &failures = failures_, volume = call.volume, kind,
                    answer = pending->completion()](const mounts::MountResult& result) {
                     if (result)
                       failures.succeeded(volume, kind);
                     else
                       failures.record(volume, kind, result.error());
                     // Before the answer, after which kubelet may call again.
                     calls->end(volume);
                     answer(result);
                   });
  return pending;
}

server::UnaryReactor* NodeService::read_usage(
    server::Context& context, const server::CallRecord& record, internal::MountJob job,
    MountCall::Fill fill, mounts::MountResult (*as_result)(mounts::MountResult)) {
  if (auto begun = host_.begin_call(); !begun) return server::answer(context, record, begun);
  auto* const pending = new MountCall{record, std::move(fill), host_.calls()};
  mounters_.submit(std::move(job),
                   [answer = pending->completion(), as_result](const mounts::MountResult& result) {
                     answer(as_result(result));
                   });
  return pending;
}

template <typename Request>
server::UnaryReactor* NodeService::change(server::Context& context, std::string_view method,
                                          CsiCall kind, const Request& request,
                                          MountCall::Fill fill) {
  server::CallRecord record = host_.record(method, context, log::Priority::kInfo);
  return server::guarded(context, record, [&]() -> server::UnaryReactor* {
    record.set_volume(request.volume_id());
    auto call = check(request, root_);
    if (!call) return server::answer(context, record, std::unexpected(call.error()));
    const auto volume = find_volume(*call);
    if (!volume) return refuse(context, record, kind, *call, volume.error());
    if (*volume) record.set_volume_group((*volume)->group->name);
    return start(context, record, kind, *std::move(call), std::move(fill));
  });
}

server::UnaryReactor* NodeService::NodeStageVolume(
    server::Context* context, const ::csi::v1::NodeStageVolumeRequest* request,
    ::csi::v1::NodeStageVolumeResponse* /*response*/) {
  return change(*context, "NodeStageVolume", CsiCall::kStage, *request, no_content);
}

server::UnaryReactor* NodeService::NodeUnstageVolume(
    server::Context* context, const ::csi::v1::NodeUnstageVolumeRequest* request,
    ::csi::v1::NodeUnstageVolumeResponse* /*response*/) {
  return change(*context, "NodeUnstageVolume", CsiCall::kUnstage, *request, no_content);
}

server::UnaryReactor* NodeService::NodePublishVolume(
    server::Context* context, const ::csi::v1::NodePublishVolumeRequest* request,
    ::csi::v1::NodePublishVolumeResponse* /*response*/) {
  return change(*context, "NodePublishVolume", CsiCall::kPublish, *request, no_content);
}

server::UnaryReactor* NodeService::NodeUnpublishVolume(
    server::Context* context, const ::csi::v1::NodeUnpublishVolumeRequest* request,
    ::csi::v1::NodeUnpublishVolumeResponse* /*response*/) {
  return change(*context, "NodeUnpublishVolume", CsiCall::kUnpublish, *request, no_content);
}

server::UnaryReactor* NodeService::NodeExpandVolume(
    server::Context* context, const ::csi::v1::NodeExpandVolumeRequest* request,
    ::csi::v1::NodeExpandVolumeResponse* response) {
  server::CallRecord record = host_.record("NodeExpandVolume", *context, log::Priority::kInfo);
  return server::guarded(*context, record, [&]() -> server::UnaryReactor* {
    record.set_volume(request->volume_id());
    auto call = check(*request, root_);
    if (!call) return server::answer(*context, record, std::unexpected(call.error()));
    const auto volume = find_volume(*call);
    if (!volume) return refuse(*context, record, CsiCall::kExpand, *call, volume.error());
    record.set_volume_group((*volume)->group->name);
    if (auto grown = check_size(**volume, *request); !grown)
      return refuse(*context, record, CsiCall::kExpand, *call, grown.error());
    const auto bytes = static_cast<std::int64_t>((*volume)->volume->size.value);
    if (!call->job.has_grow()) {
      failures_.succeeded(call->volume, CsiCall::kExpand);
      response->set_capacity_bytes(bytes);
      return server::answer(*context, record, {});
    }
    return start(*context, record, CsiCall::kExpand, *std::move(call),
                 [response, bytes](const internal::MountReply& /*reply*/) {
                   response->set_capacity_bytes(bytes);
                 });
  });
}

server::UnaryReactor* NodeService::NodeGetVolumeStats(
    server::Context* context, const ::csi::v1::NodeGetVolumeStatsRequest* request,
    ::csi::v1::NodeGetVolumeStatsResponse* response) {
  server::CallRecord record = host_.record("NodeGetVolumeStats", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&]() -> server::UnaryReactor* {
    record.set_volume(request->volume_id());
    auto call = check(*request, root_);
    if (!call) return server::answer(*context, record, std::unexpected(call.error()));
    const auto volume = find_volume(*call);
    if (!volume) return server::answer(*context, record, std::unexpected(volume.error()));
    record.set_volume_group((*volume)->group->name);
    return read_usage(
        *context, record, std::move(call->job),
        [response, volume = **volume](const internal::MountReply& reply) {
          *response = to_stats(reply.usage());
          *response->mutable_volume_condition() = condition_of(health_of(volume, reply.usage()));
        },
        as_stats_result);
  });
}

server::UnaryReactor* NodeService::NodeGetVolumeHealth(
    server::Context* context, const ::csi::v1::NodeGetVolumeHealthRequest* request,
    ::csi::v1::NodeGetVolumeHealthResponse* response) {
  server::CallRecord record = host_.record("NodeGetVolumeHealth", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&]() -> server::UnaryReactor* {
    record.set_volume(request->volume_id());
    auto call = check(*request, root_);
    if (!call) return server::answer(*context, record, std::unexpected(call.error()));
    const auto volume =
        volumes::volume_by_handle(*backend_.catalog(), backend_.read_model(), call->volume);
    if (!volume) return server::answer(*context, record, std::unexpected(volume.error()));
    record.set_volume_group(volume->group->name);
    if (!call->job.has_usage() || !volumes::check_active(volume->device)) {
      *response->mutable_volume_health() = health_of(*volume, {});
      return server::answer(*context, record, {});
    }
    *device_in(call->job) = volume->device;
    return read_usage(
        *context, record, std::move(call->job),
        [response, volume = *volume](const internal::MountReply& reply) {
          *response->mutable_volume_health() = health_of(volume, reply.usage());
        },
        as_health_result);
  });
}

server::UnaryReactor* NodeService::NodeGetStorageHealth(
    server::Context* context, const ::csi::v1::NodeGetStorageHealthRequest* /*request*/,
    ::csi::v1::NodeGetStorageHealthResponse* response) {
  const auto record = host_.record("NodeGetStorageHealth", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    *response = storage_health(*backend_.catalog(), backend_.read_model(), health_);
    return server::answer(*context, record, {});
  });
}

server::UnaryReactor* NodeService::NodeGetCapabilities(
    server::Context* context, const ::csi::v1::NodeGetCapabilitiesRequest* /*request*/,
    ::csi::v1::NodeGetCapabilitiesResponse* response) {
  const auto record = host_.record("NodeGetCapabilities", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    for (const auto type : kCapabilities)
      response->add_capabilities()->mutable_rpc()->set_type(type);
    return server::answer(*context, record, {});
  });
}

server::UnaryReactor* NodeService::NodeGetInfo(server::Context* context,
                                               const ::csi::v1::NodeGetInfoRequest* /*request*/,
                                               ::csi::v1::NodeGetInfoResponse* response) {
  const auto record = host_.record("NodeGetInfo", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    *response = info_;
    return server::answer(*context, record, {});
  });
}

}  // namespace lvmd::csi
