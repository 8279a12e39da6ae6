// csi.v1.Controller: each call becomes a request about LogicalVolume objects. Rules: docs/csi.md.
#pragma once

#include <utility>

#include "csi.grpc.pb.h"
#include "csi/controller/api.hpp"
#include "csi/controller/call_edge.hpp"
#include "csi/controller/driver.hpp"
#include "csi/controller/object_store.hpp"

namespace lvmd::controller {

struct ControllerOptions {
  Driver driver{};
  // The calls for CSIDrivers with attachRequired: true are served [C-ATTACH-1].
  bool attach_required = false;
};

// A call without a handler here is UNIMPLEMENTED [C-CALL-2].
class ControllerService final : public api::Controller::Service {
 public:
  // The references must outlive the service.
  ControllerService(CallEdge& edge, ObjectStore& store, ControllerOptions options)
      : edge_(edge), store_(store), options_(std::move(options)) {}

  grpc::Status CreateVolume(grpc::ServerContext* context, const api::CreateVolumeRequest* request,
                            api::CreateVolumeResponse* response) override;
  grpc::Status DeleteVolume(grpc::ServerContext* context, const api::DeleteVolumeRequest* request,
                            api::DeleteVolumeResponse* response) override;
  grpc::Status ControllerPublishVolume(grpc::ServerContext* context,
                                       const api::ControllerPublishVolumeRequest* request,
                                       api::ControllerPublishVolumeResponse* response) override;
  grpc::Status ControllerUnpublishVolume(grpc::ServerContext* context,
                                         const api::ControllerUnpublishVolumeRequest* request,
                                         api::ControllerUnpublishVolumeResponse* response) override;
  grpc::Status ValidateVolumeCapabilities(
      grpc::ServerContext* context, const api::ValidateVolumeCapabilitiesRequest* request,
      api::ValidateVolumeCapabilitiesResponse* response) override;
  grpc::Status ListVolumes(grpc::ServerContext* context, const api::ListVolumesRequest* request,
                           api::ListVolumesResponse* response) override;
  grpc::Status GetCapacity(grpc::ServerContext* context, const api::GetCapacityRequest* request,
                           api::GetCapacityResponse* response) override;
  grpc::Status ControllerGetCapabilities(grpc::ServerContext* context,
                                         const api::ControllerGetCapabilitiesRequest* request,
                                         api::ControllerGetCapabilitiesResponse* response) override;
  grpc::Status ControllerExpandVolume(grpc::ServerContext* context,
                                      const api::ControllerExpandVolumeRequest* request,
                                      api::ControllerExpandVolumeResponse* response) override;
  grpc::Status ControllerGetVolume(grpc::ServerContext* context,
                                   const api::ControllerGetVolumeRequest* request,
                                   api::ControllerGetVolumeResponse* response) override;
  grpc::Status ControllerListVolumeHealth(
      grpc::ServerContext* context, const api::ControllerListVolumeHealthRequest* request,
      api::ControllerListVolumeHealthResponse* response) override;
  grpc::Status ControllerGetVolumeHealth(grpc::ServerContext* context,
                                         const api::ControllerGetVolumeHealthRequest* request,
                                         api::ControllerGetVolumeHealthResponse* response) override;
  grpc::Status CreateSnapshot(grpc::ServerContext* context,
                              const api::CreateSnapshotRequest* request,
                              api::CreateSnapshotResponse* response) override;
  grpc::Status DeleteSnapshot(grpc::ServerContext* context,
                              const api::DeleteSnapshotRequest* request,
                              api::DeleteSnapshotResponse* response) override;
  grpc::Status ListSnapshots(grpc::ServerContext* context, const api::ListSnapshotsRequest* request,
                             api::ListSnapshotsResponse* response) override;
  grpc::Status GetSnapshot(grpc::ServerContext* context, const api::GetSnapshotRequest* request,
                           api::GetSnapshotResponse* response) override;

 private:
  // Runs `handle` if the store is ready.
  template <typename Handle>
  [[nodiscard]] grpc::Status run(const grpc::ServerContext& context, const CallInfo& call,
                                 const Handle& handle);

  CallEdge& edge_;
  ObjectStore& store_;
  const ControllerOptions options_;
};

}  // namespace lvmd::controller
