#include "lvmd/mounts/service/module.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/mounts/service/mount_service.hpp"
#include "lvmd/mounts/service/mounter_client.hpp"
#include "lvmd/mounts/service/use_watch.hpp"

namespace lvmd::mounts {
namespace {

// Absent if lvmd has no CSI driver.
std::optional<model::KubeletRoot> kubelet_of(const internal::ServerSetup& setup) {
  if (!setup.has_csi()) return std::nullopt;
  return model::KubeletRoot{.path = setup.csi().kubelet_root(),
                            .driver = setup.csi().driver_name()};
}

bool has_group(const volumes::Backend& backend, std::string_view volume_group) {
  const auto catalog = backend.catalog();
  return std::ranges::find(catalog->device_classes, volume_group,
                           &model::DeviceClass::volume_group) != catalog->device_classes.end();
}

class ServerModuleImpl final : public ServerModule {
 public:
  ServerModuleImpl(server::Host& host, const internal::ServerSetup& setup,
                   volumes::Backend& backend)
      : mounters_([&host](const internal::ChildEvent& event) { return host.send(event); }),
        uses_(kubelet_of(setup), failures_,
              [&backend](std::string_view group) { return has_group(backend, group); }),
        service_(host, backend, mounters_, uses_.feed(),
                 {setup.mount_roots().begin(), setup.mount_roots().end()}) {}

  MounterClient& mounters() override { return mounters_; }
  CallFailures& call_failures() override { return failures_; }

  std::vector<grpc::Service*> services(server::SocketKind kind) override {
    if (kind != server::SocketKind::kFull) return {};
    return {&service_};
  }
  Status start() override {
    if (auto started = uses_.start(); !started) return started;
    return mounters_.open();
  }

  Result<bool> handle(server::SupervisorFrame& frame) override {
    const internal::ControlFrame& message = frame.message;
    if (message.has_mounter_refused()) {
      mounters_.refused(message.mounter_refused().number(),
                        ipc::from_proto(message.mounter_refused().error()));
      return true;
    }
    if (!message.has_mounter_started()) return false;
    auto channel = server::take_channel(frame);
    if (!channel) return std::unexpected(channel.error());
    mounters_.started(message.mounter_started().number(), std::move(*channel));
    return true;
  }

  Status reconfigure(const internal::Configuration& /*configuration*/) override {
    uses_.refresh();
    return {};
  }

  // A mount may take minutes, or hang. Its mounter finishes it without the server.
  void stop(const Error& reason) override {
    uses_.feed().end(reason);
    mounters_.end(make_error(Code::kUnavailable,
                             "lvmd is stopping; what was begun is finished: the same call "
                             "again tells when lvmd is back")
                      .because(reason::kStopping));
  }
  void detach() override { uses_.stop(); }

 private:
  // The mounters' callbacks record failures.
  CallFailures failures_;
  MounterClient mounters_;
  UseWatch uses_;
  MountService service_;
};

}  // namespace

std::unique_ptr<ServerModule> make_server_module(server::Host& host,
                                                 const internal::ServerSetup& setup,
                                                 volumes::Backend& backend) {
  return std::make_unique<ServerModuleImpl>(host, setup, backend);
}

}  // namespace lvmd::mounts
