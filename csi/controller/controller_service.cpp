#include "csi/controller/controller_service.hpp"

#include <grpcpp/server_context.h>

#include <string>

#include "csi/controller/requests.hpp"

namespace lvmd::controller {
namespace {

using Rpc = api::ControllerServiceCapability::RPC;

CallInfo about(std::string_view method, const std::string& subject) {
  return {.method = method, .subject = subject};
}

// For calls that change nothing.
CallInfo quiet(std::string_view method, const std::string& subject = {}) {
  return {.method = method, .subject = subject, .priority = log::Priority::kDebug};
}

Status check_attach(const ControllerOptions& options) {
  if (options.attach_required) return {};
  return fail(Code::kUnimplemented,
              "csi-controller runs without --attach-required, so the CSIDriver must have "
              "attachRequired: false");
}

}  // namespace

template <typename Handle>
grpc::Status ControllerService::run(const grpc::ServerContext& context, const CallInfo& call,
                                    const Handle& handle) {
  return edge_.run(context, call, [&](const CallLimit& limit) -> Status {
    if (!store_.is_ready())
      return fail(Code::kUnavailable,
                  "the objects are not known at the moment: the API server "
                  "does not answer, or has not yet listed them");
    return handle(limit);
  });
}

grpc::Status ControllerService::CreateVolume(grpc::ServerContext* context,
                                             const api::CreateVolumeRequest* request,
                                             api::CreateVolumeResponse* response) {
  return run(*context, about("CreateVolume", request->name()), [&](const CallLimit& limit) {
    return handle(*request, *response, store_, options_.driver, limit);
  });
}

grpc::Status ControllerService::DeleteVolume(grpc::ServerContext* context,
                                             const api::DeleteVolumeRequest* request,
                                             api::DeleteVolumeResponse* /*response*/) {
  return run(*context, about("DeleteVolume", request->volume_id()),
             [&](const CallLimit& limit) { return handle(*request, store_, limit); });
}

grpc::Status ControllerService::ControllerPublishVolume(
    grpc::ServerContext* context, const api::ControllerPublishVolumeRequest* request,
    api::ControllerPublishVolumeResponse* /*response*/) {
  return run(*context, about("ControllerPublishVolume", request->volume_id()),
             [&](const CallLimit&) -> Status {
               if (auto may = check_attach(options_); !may) return may;
               return handle(*request, store_);
             });
}

grpc::Status ControllerService::ControllerUnpublishVolume(
    grpc::ServerContext* context, const api::ControllerUnpublishVolumeRequest* request,
    api::ControllerUnpublishVolumeResponse* /*response*/) {
  return run(*context, about("ControllerUnpublishVolume", request->volume_id()),
             [&](const CallLimit&) -> Status {
               if (auto may = check_attach(options_); !may) return may;
               return handle(*request);
             });
}

grpc::Status ControllerService::ValidateVolumeCapabilities(
    grpc::ServerContext* context, const api::ValidateVolumeCapabilitiesRequest* request,
    api::ValidateVolumeCapabilitiesResponse* response) {
  return run(*context, quiet("ValidateVolumeCapabilities", request->volume_id()),
             [&](const CallLimit&) { return handle(*request, *response, store_); });
}

grpc::Status ControllerService::ListVolumes(grpc::ServerContext* context,
                                            const api::ListVolumesRequest* request,
                                            api::ListVolumesResponse* response) {
  return run(*context, quiet("ListVolumes"), [&](const CallLimit&) {
    return handle(*request, *response, store_, options_.driver, options_.attach_required);
  });
}

grpc::Status ControllerService::GetCapacity(grpc::ServerContext* context,
                                            const api::GetCapacityRequest* request,
                                            api::GetCapacityResponse* response) {
  return run(*context, quiet("GetCapacity"), [&](const CallLimit&) {
    return handle(*request, *response, store_, options_.driver);
  });
}

grpc::Status ControllerService::ControllerGetCapabilities(
    grpc::ServerContext* context, const api::ControllerGetCapabilitiesRequest* /*request*/,
    api::ControllerGetCapabilitiesResponse* response) {
  return edge_.run(*context, quiet("ControllerGetCapabilities"), [&](const CallLimit&) -> Status {
    const auto add = [response](Rpc::Type type) {
      response->add_capabilities()->mutable_rpc()->set_type(type);
    };
    for (const auto type :
         {Rpc::CREATE_DELETE_VOLUME, Rpc::LIST_VOLUMES, Rpc::GET_CAPACITY,
          Rpc::CREATE_DELETE_SNAPSHOT, Rpc::LIST_SNAPSHOTS, Rpc::CLONE_VOLUME, Rpc::EXPAND_VOLUME,
          Rpc::VOLUME_CONDITION, Rpc::GET_VOLUME, Rpc::SINGLE_NODE_MULTI_WRITER, Rpc::GET_SNAPSHOT,
          Rpc::GET_VOLUME_HEALTH, Rpc::LIST_VOLUME_HEALTH})
      add(type);
    if (options_.attach_required)
      for (const auto type : {Rpc::PUBLISH_UNPUBLISH_VOLUME, Rpc::LIST_VOLUMES_PUBLISHED_NODES})
        add(type);
    return {};
  });
}

grpc::Status ControllerService::ControllerExpandVolume(
    grpc::ServerContext* context, const api::ControllerExpandVolumeRequest* request,
    api::ControllerExpandVolumeResponse* response) {
  return run(*context, about("ControllerExpandVolume", request->volume_id()),
             [&](const CallLimit& limit) { return handle(*request, *response, store_, limit); });
}

grpc::Status ControllerService::ControllerGetVolume(grpc::ServerContext* context,
                                                    const api::ControllerGetVolumeRequest* request,
                                                    api::ControllerGetVolumeResponse* response) {
  return run(*context, quiet("ControllerGetVolume", request->volume_id()), [&](const CallLimit&) {
    return handle(*request, *response, store_, options_.driver, options_.attach_required);
  });
}

grpc::Status ControllerService::ControllerListVolumeHealth(
    grpc::ServerContext* context, const api::ControllerListVolumeHealthRequest* request,
    api::ControllerListVolumeHealthResponse* response) {
  return run(*context, quiet("ControllerListVolumeHealth"),
             [&](const CallLimit&) { return handle(*request, *response, store_); });
}

grpc::Status ControllerService::ControllerGetVolumeHealth(
    grpc::ServerContext* context, const api::ControllerGetVolumeHealthRequest* request,
    api::ControllerGetVolumeHealthResponse* response) {
  return run(*context, quiet("ControllerGetVolumeHealth", request->volume_id()),
             [&](const CallLimit&) { return handle(*request, *response, store_); });
}

grpc::Status ControllerService::CreateSnapshot(grpc::ServerContext* context,
                                               const api::CreateSnapshotRequest* request,
                                               api::CreateSnapshotResponse* response) {
  return run(*context, about("CreateSnapshot", request->name()), [&](const CallLimit& limit) {
    return handle(*request, *response, store_, options_.driver, limit);
  });
}

grpc::Status ControllerService::DeleteSnapshot(grpc::ServerContext* context,
                                               const api::DeleteSnapshotRequest* request,
                                               api::DeleteSnapshotResponse* /*response*/) {
  return run(*context, about("DeleteSnapshot", request->snapshot_id()),
             [&](const CallLimit& limit) { return handle(*request, store_, limit); });
}

grpc::Status ControllerService::ListSnapshots(grpc::ServerContext* context,
                                              const api::ListSnapshotsRequest* request,
                                              api::ListSnapshotsResponse* response) {
  return run(*context, quiet("ListSnapshots"),
             [&](const CallLimit&) { return handle(*request, *response, store_); });
}

grpc::Status ControllerService::GetSnapshot(grpc::ServerContext* context,
                                            const api::GetSnapshotRequest* request,
                                            api::GetSnapshotResponse* response) {
  return run(*context, quiet("GetSnapshot", request->snapshot_id()),
             [&](const CallLimit&) { return handle(*request, *response, store_); });
}

}  // namespace lvmd::controller
