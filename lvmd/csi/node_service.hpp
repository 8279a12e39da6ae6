// csi.v1.Node [P-CSI-6].
#pragma once

#include "csi.grpc.pb.h"
#include "internal/control.pb.h"
#include "lvmd/server/host.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::csi {

class NodeService final : public ::csi::v1::Node::CallbackService {
 public:
  // `host` must outlive the service.
  NodeService(server::Host& host, const internal::CsiSetup& setup);

  server::UnaryReactor* NodeGetCapabilities(
      server::Context* context, const ::csi::v1::NodeGetCapabilitiesRequest* request,
      ::csi::v1::NodeGetCapabilitiesResponse* response) override;
  server::UnaryReactor* NodeGetInfo(server::Context* context,
                                    const ::csi::v1::NodeGetInfoRequest* request,
                                    ::csi::v1::NodeGetInfoResponse* response) override;

 private:
  server::Host& host_;
  const ::csi::v1::NodeGetInfoResponse info_;
};

}  // namespace lvmd::csi
