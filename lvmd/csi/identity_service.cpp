#include "lvmd/csi/identity_service.hpp"

#include "lvmd/ipc/version.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::csi {
namespace {

using ::csi::v1::PluginCapability;

}  // namespace

server::UnaryReactor* IdentityService::GetPluginInfo(
    server::Context* context, const ::csi::v1::GetPluginInfoRequest* /*request*/,
    ::csi::v1::GetPluginInfoResponse* response) {
  const auto record = host_.record("GetPluginInfo", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    response->set_name(driver_name_);
    response->set_vendor_version(std::string{ipc::version()});
    return server::answer(*context, record, {});
  });
}

server::UnaryReactor* IdentityService::GetPluginCapabilities(
    server::Context* context, const ::csi::v1::GetPluginCapabilitiesRequest* /*request*/,
    ::csi::v1::GetPluginCapabilitiesResponse* response) {
  const auto record = host_.record("GetPluginCapabilities", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    response->add_capabilities()->mutable_service()->set_type(
        PluginCapability::Service::VOLUME_ACCESSIBILITY_CONSTRAINTS);
    response->add_capabilities()->mutable_volume_expansion()->set_type(
        PluginCapability::VolumeExpansion::ONLINE);
    return server::answer(*context, record, {});
  });
}

server::UnaryReactor* IdentityService::Probe(server::Context* context,
                                             const ::csi::v1::ProbeRequest* /*request*/,
                                             ::csi::v1::ProbeResponse* response) {
  const auto record = host_.record("Probe", *context, log::Priority::kDebug);
  return server::guarded(*context, record, [&] {
    const auto report = health_.check("");
    if (!report) return server::answer(*context, record, std::unexpected(report.error()));
    response->mutable_ready()->set_value(report->serves);
    return server::answer(*context, record, {});
  });
}

}  // namespace lvmd::csi
