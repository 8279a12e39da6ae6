// pluginregistration.Registration: kubelet's discovery of the driver [P-CSI-3].
#pragma once

#include "internal/control.pb.h"
#include "lvmd/server/host.hpp"
#include "lvmd/server/rpc.hpp"
#include "pluginregistration.grpc.pb.h"

namespace lvmd::csi {

class RegistrationService final : public ::pluginregistration::Registration::CallbackService {
 public:
  // `host` must outlive the service.
  RegistrationService(server::Host& host, const internal::CsiSetup& setup);

  server::UnaryReactor* GetInfo(server::Context* context,
                                const ::pluginregistration::InfoRequest* request,
                                ::pluginregistration::PluginInfo* response) override;
  // Logs kubelet's decision.
  server::UnaryReactor* NotifyRegistrationStatus(
      server::Context* context, const ::pluginregistration::RegistrationStatus* request,
      ::pluginregistration::RegistrationStatusResponse* response) override;

 private:
  server::Host& host_;
  const ::pluginregistration::PluginInfo info_;
};

}  // namespace lvmd::csi
