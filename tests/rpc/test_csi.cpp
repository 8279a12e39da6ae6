// The CSI driver of the node, as kubelet sees it.
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "csi.grpc.pb.h"
#include "pluginregistration.grpc.pb.h"
#include "tests/fakes/layout.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;

namespace {

template <typename Service>
auto stub_at(const std::string& socket) {
  return Service::NewStub(
      grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials()));
}

// Calls a method with an empty request, unless one is given.
template <typename Response, typename Stub, typename Request>
std::pair<grpc::Status, Response> call(Stub& stub,
                                       grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                    const Request&, Response*),
                                       const Request& request = {}) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kLimit);
  Response response;
  return {(stub.*method)(&context, request, &response), response};
}

using Identity = csi::v1::Identity;
using Node = csi::v1::Node;
using Registration = pluginregistration::Registration;

}  // namespace

TEST_CASE("kubelet discovers the driver and the path of its socket [P-CSI-3]", "[rpc]") {
  const auto node = start_csi_node();
  const auto stub = stub_at<Registration>(node->registration_socket());
  const auto [status, info] =
      call<pluginregistration::PluginInfo>(*stub, &Registration::Stub::GetInfo);
  REQUIRE(status.ok());
  CHECK(info.type() == "CSIPlugin");
  CHECK(info.name() == "topolvm.io");
  CHECK(info.endpoint() == node->csi_socket());
  REQUIRE(info.supported_versions_size() == 1);
  CHECK(info.supported_versions(0) == "1.0.0");
}

TEST_CASE("kubelet's decision about the driver is logged [P-CSI-3]", "[rpc]") {
  const auto node = start_csi_node();
  const auto stub = stub_at<Registration>(node->registration_socket());
  pluginregistration::RegistrationStatus decision;
  decision.set_error("the version is not supported");
  CHECK(call<pluginregistration::RegistrationStatusResponse>(
            *stub, &Registration::Stub::NotifyRegistrationStatus, decision)
            .first.ok());
  CHECK(node->log().find("kubelet has refused the CSI driver topolvm.io: the version is not "
                         "supported") != std::string::npos);
  decision.set_plugin_registered(true);
  CHECK(call<pluginregistration::RegistrationStatusResponse>(
            *stub, &Registration::Stub::NotifyRegistrationStatus, decision)
            .first.ok());
  CHECK(node->log().find("kubelet has registered the CSI driver topolvm.io") != std::string::npos);
}

TEST_CASE("the driver has its name, lvmd's version, topology and online expansion [P-CSI-4]",
          "[rpc]") {
  const auto node = start_csi_node();
  const auto stub = stub_at<Identity>(node->csi_socket());
  const auto [status, info] =
      call<csi::v1::GetPluginInfoResponse>(*stub, &Identity::Stub::GetPluginInfo);
  REQUIRE(status.ok());
  CHECK(info.name() == "topolvm.io");
  CHECK(info.vendor_version() == ipc::version());
  const auto [told, capabilities] =
      call<csi::v1::GetPluginCapabilitiesResponse>(*stub, &Identity::Stub::GetPluginCapabilities);
  REQUIRE(told.ok());
  REQUIRE(capabilities.capabilities_size() == 2);
  CHECK(capabilities.capabilities(0).service().type() ==
        csi::v1::PluginCapability::Service::VOLUME_ACCESSIBILITY_CONSTRAINTS);
  CHECK(capabilities.capabilities(1).volume_expansion().type() ==
        csi::v1::PluginCapability::VolumeExpansion::ONLINE);
}

TEST_CASE("the driver is ready while lvmd is healthy [P-CSI-5]", "[rpc]") {
  const auto node = start_csi_node();
  // Other groups of the fake node are never usable.
  auto catalog = fakes::contract_catalog();
  std::erase_if(catalog.device_classes,
                [](const auto& item) { return item.volume_group != "vg_thick"; });
  REQUIRE(node->reconfigure(catalog));
  const auto stub = stub_at<Identity>(node->csi_socket());
  const auto is_ready = [&stub] {
    const auto [status, probe] = call<csi::v1::ProbeResponse>(*stub, &Identity::Stub::Probe);
    REQUIRE(status.ok());
    REQUIRE(probe.has_ready());
    return probe.ready().value();
  };
  CHECK(eventually(is_ready));
  REQUIRE(node->set_trouble("vg_thick", make_error(Code::kUnavailable, "a PV is missing")));
  CHECK(eventually([&] { return !is_ready(); }));
  REQUIRE(node->set_trouble("vg_thick", std::nullopt));
  CHECK(eventually(is_ready));
}

TEST_CASE("the node has its name, a limit of volumes and TopoLVM's topology key [P-CSI-6]",
          "[rpc]") {
  const auto node = start_csi_node();
  const auto stub = stub_at<Node>(node->csi_socket());
  const auto [status, info] = call<csi::v1::NodeGetInfoResponse>(*stub, &Node::Stub::NodeGetInfo);
  REQUIRE(status.ok());
  CHECK(info.node_id() == "node-1");
  CHECK(info.max_volumes_per_node() == 100);
  REQUIRE(info.accessible_topology().segments_size() == 1);
  CHECK(info.accessible_topology().segments().at("topology.topolvm.io/node") == "node-1");
}

TEST_CASE("each socket has its own services only [P-CSI-1]", "[rpc]") {
  const auto node = start_csi_node();
  for (const std::string& socket :
       {node->socket(), node->read_only_socket(), node->registration_socket()}) {
    CAPTURE(socket);
    CHECK(call<csi::v1::NodeGetInfoResponse>(*stub_at<Node>(socket), &Node::Stub::NodeGetInfo)
              .first.error_code() == grpc::StatusCode::UNIMPLEMENTED);
  }
  for (const std::string& socket : {node->socket(), node->read_only_socket(), node->csi_socket()}) {
    CAPTURE(socket);
    CHECK(call<pluginregistration::PluginInfo>(*stub_at<Registration>(socket),
                                               &Registration::Stub::GetInfo)
              .first.error_code() == grpc::StatusCode::UNIMPLEMENTED);
  }
  for (const std::string& socket : {node->csi_socket(), node->registration_socket()}) {
    CAPTURE(socket);
    contract::Client client{socket};
    CHECK(client.list("thick").code == Code::kUnimplemented);
    CHECK(client.list_volumes().code == Code::kUnimplemented);
    CHECK(client.list_mounts().code == Code::kUnimplemented);
  }
}
