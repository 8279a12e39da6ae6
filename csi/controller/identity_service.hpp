// csi.v1.Identity [C-ID-*].
#pragma once

#include <string>
#include <utility>

#include "csi.grpc.pb.h"
#include "csi/controller/api.hpp"
#include "csi/controller/call_edge.hpp"
#include "csi/controller/object_store.hpp"

namespace lvmd::controller {

class IdentityService final : public api::Identity::Service {
 public:
  // The references must outlive the service.
  IdentityService(CallEdge& edge, const ObjectStore& store, Driver driver, std::string version)
      : edge_(edge), store_(store), driver_(std::move(driver)), version_(std::move(version)) {}

  grpc::Status GetPluginInfo(grpc::ServerContext* context, const api::GetPluginInfoRequest* request,
                             api::GetPluginInfoResponse* response) override;
  grpc::Status GetPluginCapabilities(grpc::ServerContext* context,
                                     const api::GetPluginCapabilitiesRequest* request,
                                     api::GetPluginCapabilitiesResponse* response) override;
  grpc::Status Probe(grpc::ServerContext* context, const api::ProbeRequest* request,
                     api::ProbeResponse* response) override;

 private:
  CallEdge& edge_;
  const ObjectStore& store_;
  const Driver driver_;
  const std::string version_;
};

}  // namespace lvmd::controller
