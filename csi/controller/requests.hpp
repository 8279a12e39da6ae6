// The handlers of csi.v1.Controller, without gRPC: request to response. Errors are those of the
// rules in docs/csi.md.
#pragma once

#include "csi/controller/api.hpp"
#include "csi/controller/driver.hpp"
#include "csi/controller/object_store.hpp"
#include "csi/controller/waiter.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::controller {

// Volumes (volume_requests.cpp).
[[nodiscard]] Status handle(const api::CreateVolumeRequest& request,
                            api::CreateVolumeResponse& response, ObjectStore& store,
                            const Driver& driver, const CallLimit& limit);
[[nodiscard]] Status handle(const api::DeleteVolumeRequest& request, ObjectStore& store,
                            const CallLimit& limit);
[[nodiscard]] Status handle(const api::ControllerExpandVolumeRequest& request,
                            api::ControllerExpandVolumeResponse& response, ObjectStore& store,
                            const CallLimit& limit);
[[nodiscard]] Status handle(const api::ValidateVolumeCapabilitiesRequest& request,
                            api::ValidateVolumeCapabilitiesResponse& response, ObjectStore& store);
[[nodiscard]] Status handle(const api::GetCapacityRequest& request,
                            api::GetCapacityResponse& response, const ObjectStore& store,
                            const Driver& driver);
// With `attach_required`, the volume counts as published to its node [C-ATTACH-3].
[[nodiscard]] Status handle(const api::ListVolumesRequest& request,
                            api::ListVolumesResponse& response, const ObjectStore& store,
                            const Driver& driver, bool attach_required);
[[nodiscard]] Status handle(const api::ControllerGetVolumeRequest& request,
                            api::ControllerGetVolumeResponse& response, ObjectStore& store,
                            const Driver& driver, bool attach_required);
[[nodiscard]] Status handle(const api::ControllerListVolumeHealthRequest& request,
                            api::ControllerListVolumeHealthResponse& response,
                            const ObjectStore& store);
[[nodiscard]] Status handle(const api::ControllerGetVolumeHealthRequest& request,
                            api::ControllerGetVolumeHealthResponse& response, ObjectStore& store);
[[nodiscard]] Status handle(const api::ControllerPublishVolumeRequest& request, ObjectStore& store);
[[nodiscard]] Status handle(const api::ControllerUnpublishVolumeRequest& request);

// Snapshots (snapshot_requests.cpp).
[[nodiscard]] Status handle(const api::CreateSnapshotRequest& request,
                            api::CreateSnapshotResponse& response, ObjectStore& store,
                            const Driver& driver, const CallLimit& limit);
[[nodiscard]] Status handle(const api::DeleteSnapshotRequest& request, ObjectStore& store,
                            const CallLimit& limit);
[[nodiscard]] Status handle(const api::ListSnapshotsRequest& request,
                            api::ListSnapshotsResponse& response, const ObjectStore& store);
[[nodiscard]] Status handle(const api::GetSnapshotRequest& request,
                            api::GetSnapshotResponse& response, ObjectStore& store);

}  // namespace lvmd::controller
