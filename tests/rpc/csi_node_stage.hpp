// A node with a volume for the cases of csi.v1.Node, and paths of kubelet.
#pragma once

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "csi.grpc.pb.h"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

namespace lvmd::rpc {

inline constexpr const char* kVolume = "one";
inline const std::string kRoot = "/var/lib/kubelet";
inline const std::string kStaging =
    kRoot + "/plugins/kubernetes.io/csi/topolvm.io/" + std::string(64, 'a') + "/globalmount";
inline const std::string kTarget = kRoot + "/pods/1234-5678/volumes/kubernetes.io~csi/pvc-1/mount";
inline const std::string kBlockStaging =
    kRoot + "/plugins/kubernetes.io/csi/volumeDevices/staging/pvc-1";
inline const std::string kBlockTarget =
    kRoot + "/plugins/kubernetes.io/csi/volumeDevices/publish/pvc-1/1234-5678";

struct NodeUnderTest {
  using Stub = csi::v1::Node::Stub;
  std::unique_ptr<fakes::FakeNode> node = start_csi_node();
  std::unique_ptr<Stub> stub = csi::v1::Node::NewStub(
      grpc::CreateChannel("unix:" + node->csi_socket(), grpc::InsecureChannelCredentials()));

  NodeUnderTest() {
    REQUIRE(contract::Client{node->socket()}
                .create(contract::create_request("thick", kVolume, contract::kExtent))
                .ok());
  }

  template <typename Request, typename Response>
  grpc::Status call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response = nullptr) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    Response own;
    return ((*stub).*method)(&context, request, response == nullptr ? &own : response);
  }

  // The only job that a mounter got.
  [[nodiscard]] internal::MountJob job() const {
    const auto jobs = node->mounters().jobs();
    REQUIRE(jobs.size() == 1);
    return jobs.front();
  }
};

inline csi::v1::NodeGetVolumeStatsRequest stats_request() {
  csi::v1::NodeGetVolumeStatsRequest request;
  request.set_volume_id(kVolume);
  request.set_volume_path(kTarget);
  return request;
}

}  // namespace lvmd::rpc
