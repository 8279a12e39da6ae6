#include "csi/controller/identity_service.hpp"

#include <grpcpp/server_context.h>

namespace lvmd::controller {
namespace {

using Offered = api::PluginCapability::Service;
using Expansion = api::PluginCapability::VolumeExpansion;

CallInfo identity_call(std::string_view method) {
  return {.method = method, .priority = log::Priority::kDebug};
}

}  // namespace

grpc::Status IdentityService::GetPluginInfo(grpc::ServerContext* context,
                                            const api::GetPluginInfoRequest* /*request*/,
                                            api::GetPluginInfoResponse* response) {
  return edge_.run(*context, identity_call("GetPluginInfo"), [&](const CallLimit&) -> Status {
    response->set_name(driver_.name);
    response->set_vendor_version(version_);
    return {};
  });
}

grpc::Status IdentityService::GetPluginCapabilities(
    grpc::ServerContext* context, const api::GetPluginCapabilitiesRequest* /*request*/,
    api::GetPluginCapabilitiesResponse* response) {
  return edge_.run(
      *context, identity_call("GetPluginCapabilities"), [&](const CallLimit&) -> Status {
        for (const auto type :
             {Offered::CONTROLLER_SERVICE, Offered::VOLUME_ACCESSIBILITY_CONSTRAINTS})
          response->add_capabilities()->mutable_service()->set_type(type);
        response->add_capabilities()->mutable_volume_expansion()->set_type(Expansion::ONLINE);
        return {};
      });
}

grpc::Status IdentityService::Probe(grpc::ServerContext* context,
                                    const api::ProbeRequest* /*request*/,
                                    api::ProbeResponse* response) {
  return edge_.run(*context, identity_call("Probe"), [&](const CallLimit&) -> Status {
    response->mutable_ready()->set_value(store_.is_ready());
    return {};
  });
}

}  // namespace lvmd::controller
