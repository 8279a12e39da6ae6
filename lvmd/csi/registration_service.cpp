#include "lvmd/csi/registration_service.hpp"

#include <fmt/format.h>

#include "lvmd/base/log.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::csi {
namespace {

// The versions of the specification that kubelet knows: it accepts any 1.x.
constexpr const char* kSpecificationVersion = "1.0.0";

::pluginregistration::PluginInfo plugin_info(const internal::CsiSetup& setup) {
  ::pluginregistration::PluginInfo info;
  info.set_type("CSIPlugin");
  info.set_name(setup.driver_name());
  info.set_endpoint(setup.endpoint());
  info.add_supported_versions(kSpecificationVersion);
  return info;
}

}  // namespace

RegistrationService::RegistrationService(server::Host& host, const internal::CsiSetup& setup)
    : host_(host), info_(plugin_info(setup)) {}

server::UnaryReactor* RegistrationService::GetInfo(
    server::Context* context, const ::pluginregistration::InfoRequest* /*request*/,
    ::pluginregistration::PluginInfo* response) {
  const auto record = host_.record("GetInfo", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    *response = info_;
    return server::answer(*context, record, {});
  });
}

server::UnaryReactor* RegistrationService::NotifyRegistrationStatus(
    server::Context* context, const ::pluginregistration::RegistrationStatus* request,
    ::pluginregistration::RegistrationStatusResponse* /*response*/) {
  const auto record = host_.record("NotifyRegistrationStatus", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    if (request->plugin_registered())
      log::notice(fmt::format("kubelet has registered the CSI driver {}", info_.name()));
    else
      log::error(
          fmt::format("kubelet has refused the CSI driver {}: {}", info_.name(), request->error()));
    return server::answer(*context, record, {});
  });
}

}  // namespace lvmd::csi
