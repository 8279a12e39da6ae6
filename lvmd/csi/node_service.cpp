#include "lvmd/csi/node_service.hpp"

#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::csi {
namespace {

::csi::v1::NodeGetInfoResponse node_info(const internal::CsiSetup& setup) {
  ::csi::v1::NodeGetInfoResponse info;
  info.set_node_id(setup.node_name());
  info.set_max_volumes_per_node(setup.max_volumes());
  (*info.mutable_accessible_topology()
        ->mutable_segments())["topology." + setup.driver_name() + "/node"] = setup.node_name();
  return info;
}

}  // namespace

NodeService::NodeService(server::Host& host, const internal::CsiSetup& setup)
    : host_(host), info_(node_info(setup)) {}

server::UnaryReactor* NodeService::NodeGetCapabilities(
    server::Context* context, const ::csi::v1::NodeGetCapabilitiesRequest* /*request*/,
    ::csi::v1::NodeGetCapabilitiesResponse* /*response*/) {
  const auto record = host_.record("NodeGetCapabilities", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] { return server::answer(*context, record, {}); });
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
