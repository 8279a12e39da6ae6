#include "lvmd/mounts/service/module.hpp"

#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/mounts/service/mount_service.hpp"
#include "lvmd/mounts/service/mounter_client.hpp"

namespace lvmd::mounts {
namespace {

class ServerModule final : public server::Module {
 public:
  ServerModule(server::Host& host, const internal::ServerSetup& setup, volumes::Backend& backend)
      : mounters_([&host](const internal::ChildEvent& event) { return host.send(event); }),
        service_(host, backend, mounters_,
                 {setup.mount_roots().begin(), setup.mount_roots().end()}) {}

  std::vector<grpc::Service*> services(server::SocketKind kind) override {
    if (kind != server::SocketKind::kFull) return {};
    return {&service_};
  }
  Status start() override { return mounters_.open(); }

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

  // A mount may take minutes, or hang. Its mounter finishes it without the server.
  void stop(const Error& /*reason*/) override {
    mounters_.end(make_error(Code::kUnavailable,
                             "lvmd is stopping; what was begun is finished: the same call "
                             "again tells when lvmd is back")
                      .because(reason::kStopping));
  }

 private:
  MounterClient mounters_;
  MountService service_;
};

}  // namespace

std::unique_ptr<server::Module> make_server_module(server::Host& host,
                                                   const internal::ServerSetup& setup,
                                                   volumes::Backend& backend) {
  return std::make_unique<ServerModule>(host, setup, backend);
}

}  // namespace lvmd::mounts
