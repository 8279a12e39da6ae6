// csi.v1.Node: kubelet's calls for the volumes of this node [P-CSI-6, P-CSI-20 to P-CSI-29]. Each
// call is checked here and done by a mounter of its own.
#pragma once

#include <memory>
#include <optional>

#include "csi.grpc.pb.h"
#include "internal/control.pb.h"
#include "lvmd/csi/node_checks.hpp"
#include "lvmd/csi/volume_calls.hpp"
#include "lvmd/model/kubelet_target.hpp"
#include "lvmd/mounts/service/call_failures.hpp"
#include "lvmd/mounts/service/mounter_client.hpp"
#include "lvmd/server/health_service.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/server/rpc.hpp"
#include "lvmd/volumes/service/backend.hpp"
#include "lvmd/volumes/service/volume_by_handle.hpp"

namespace lvmd::csi {

// What the calls of the node use of other modules. All must outlive the service, and `failures`
// also the mounters' client.
struct NodeContext {
  server::Host& host;
  volumes::Backend& backend;
  mounts::MounterClient& mounters;
  mounts::CallFailures& failures;
};

class NodeService final : public ::csi::v1::Node::CallbackService {
 public:
  // `health` must outlive the service.
  NodeService(const NodeContext& context, const internal::CsiSetup& setup,
              const server::HealthSource& health);

  server::UnaryReactor* NodeStageVolume(server::Context* context,
                                        const ::csi::v1::NodeStageVolumeRequest* request,
                                        ::csi::v1::NodeStageVolumeResponse* response) override;
  server::UnaryReactor* NodeUnstageVolume(server::Context* context,
                                          const ::csi::v1::NodeUnstageVolumeRequest* request,
                                          ::csi::v1::NodeUnstageVolumeResponse* response) override;
  server::UnaryReactor* NodePublishVolume(server::Context* context,
                                          const ::csi::v1::NodePublishVolumeRequest* request,
                                          ::csi::v1::NodePublishVolumeResponse* response) override;
  server::UnaryReactor* NodeUnpublishVolume(
      server::Context* context, const ::csi::v1::NodeUnpublishVolumeRequest* request,
      ::csi::v1::NodeUnpublishVolumeResponse* response) override;
  server::UnaryReactor* NodeGetVolumeStats(
      server::Context* context, const ::csi::v1::NodeGetVolumeStatsRequest* request,
      ::csi::v1::NodeGetVolumeStatsResponse* response) override;
  server::UnaryReactor* NodeExpandVolume(server::Context* context,
                                         const ::csi::v1::NodeExpandVolumeRequest* request,
                                         ::csi::v1::NodeExpandVolumeResponse* response) override;
  server::UnaryReactor* NodeGetCapabilities(
      server::Context* context, const ::csi::v1::NodeGetCapabilitiesRequest* request,
      ::csi::v1::NodeGetCapabilitiesResponse* response) override;
  server::UnaryReactor* NodeGetInfo(server::Context* context,
                                    const ::csi::v1::NodeGetInfoRequest* request,
                                    ::csi::v1::NodeGetInfoResponse* response) override;
  server::UnaryReactor* NodeGetVolumeHealth(
      server::Context* context, const ::csi::v1::NodeGetVolumeHealthRequest* request,
      ::csi::v1::NodeGetVolumeHealthResponse* response) override;
  server::UnaryReactor* NodeGetStorageHealth(
      server::Context* context, const ::csi::v1::NodeGetStorageHealthRequest* request,
      ::csi::v1::NodeGetStorageHealthResponse* response) override;

 private:
  using MountCall = server::PendingCall<internal::MountReply>;

  // The call's volume. Absent for a call that needs none.
  [[nodiscard]] Result<std::optional<volumes::HandledVolume>> find_volume(NodeCall& call) const;
  // A call that changes something: one at a time for a volume, and its failure is remembered.
  template <typename Request>
  server::UnaryReactor* change(server::Context& context, std::string_view method,
                               mounts::CsiCall kind, const Request& request, MountCall::Fill fill);
  // Starts a mounter for the call, unless another call for the volume is in progress.
  server::UnaryReactor* start(server::Context& context, const server::CallRecord& record,
                              mounts::CsiCall kind, NodeCall call, MountCall::Fill fill);
  // Starts a mounter for a call that reads the usage of a mount. `as_result` maps the mounter's
  // result to that of the call.
  server::UnaryReactor* read_usage(server::Context& context, const server::CallRecord& record,
                                   internal::MountJob job, MountCall::Fill fill,
                                   mounts::MountResult (*as_result)(mounts::MountResult));
  // Answers a change that ends before a mounter starts.
  server::UnaryReactor* refuse(server::Context& context, const server::CallRecord& record,
                               mounts::CsiCall kind, const NodeCall& call, const Error& error);

  server::Host& host_;
  volumes::Backend& backend_;
  mounts::MounterClient& mounters_;
  mounts::CallFailures& failures_;
  const server::HealthSource& health_;
  const model::KubeletRoot root_;
  const ::csi::v1::NodeGetInfoResponse info_;
  // Shared with the mounters' callbacks, which may run after the destruction of the service.
  const std::shared_ptr<VolumeCalls> calls_ = std::make_shared<VolumeCalls>();
};

}  // namespace lvmd::csi
