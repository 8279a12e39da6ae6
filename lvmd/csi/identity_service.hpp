// csi.v1.Identity: who the driver is, and whether it is ready [P-CSI-4, P-CSI-5].
#pragma once

#include <string>
#include <utility>

#include "csi.grpc.pb.h"
#include "lvmd/server/health_service.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::csi {

class IdentityService final : public ::csi::v1::Identity::CallbackService {
 public:
  // The references must outlive the service.
  IdentityService(server::Host& host, std::string driver_name, const server::HealthSource& health)
      : host_(host), driver_name_(std::move(driver_name)), health_(health) {}

  server::UnaryReactor* GetPluginInfo(server::Context* context,
                                      const ::csi::v1::GetPluginInfoRequest* request,
                                      ::csi::v1::GetPluginInfoResponse* response) override;
  server::UnaryReactor* GetPluginCapabilities(
      server::Context* context, const ::csi::v1::GetPluginCapabilitiesRequest* request,
      ::csi::v1::GetPluginCapabilitiesResponse* response) override;
  server::UnaryReactor* Probe(server::Context* context, const ::csi::v1::ProbeRequest* request,
                              ::csi::v1::ProbeResponse* response) override;

 private:
  server::Host& host_;
  const std::string driver_name_;
  const server::HealthSource& health_;
};

}  // namespace lvmd::csi
