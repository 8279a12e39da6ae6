#include "lvmd/volumes/service/module.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/volumes/service/lv_service.hpp"
#include "lvmd/volumes/service/owner_service.hpp"
#include "lvmd/volumes/service/vg_service.hpp"

namespace lvmd::volumes {
namespace {

// The time that clients wait in the sockets' backlog for the first states.
constexpr std::chrono::seconds kFirstStatesLimit{5};

// The catalog. InvalidArgument when a class names a group that is not in `volume_groups`.
template <typename Groups>
Result<model::ClassCatalog> catalog_of(const internal::ClassCatalog& message,
                                       const Groups& volume_groups) {
  auto catalog = ipc::from_proto(message);
  if (!catalog) return catalog;
  for (const model::DeviceClass& device_class : catalog->device_classes)
    if (std::ranges::find(volume_groups, device_class.volume_group) == volume_groups.end())
      return fail(Code::kInvalidArgument,
                  "volume group {} of device class {} is not in the list of volume groups",
                  device_class.volume_group, device_class.name);
  return catalog;
}

class ServerModuleImpl final : public ServerModule {
 public:
  ServerModuleImpl(server::Host& host, model::ClassCatalog catalog,
                   const internal::ServerSetup& setup)
      : backend_(std::move(catalog), {setup.volume_groups().begin(), setup.volume_groups().end()},
                 host.metrics()),
        lv_service_(backend_, host),
        vg_service_(backend_, host),
        owner_service_(backend_, host) {
    for (const internal::HiddenVolumesOfGroup& hidden : setup.hidden())
      backend_.hide(hidden.volume_group(), {hidden.names().begin(), hidden.names().end()});
  }

  Backend& backend() override { return backend_; }
  server::HealthSource& health() override { return backend_.health(); }

  std::vector<grpc::Service*> services(server::SocketKind kind) override {
    if (kind == server::SocketKind::kFull) return {&lv_service_, &owner_service_, &vg_service_};
    if (kind == server::SocketKind::kReadOnly) return {&vg_service_};
    return {};
  }

  Status start() override {
    backend_.open(kFirstStatesLimit);
    return {};
  }
  void stop_waiting() override { backend_.stop_waiting(); }

  Result<bool> handle(server::SupervisorFrame& frame) override {
    const internal::ControlFrame& message = frame.message;
    if (!message.has_worker_attached() && !message.has_observer_attached()) return false;
    auto channel = server::take_channel(frame);
    if (!channel) return std::unexpected(channel.error());
    const Status attached =
        message.has_worker_attached()
            ? backend_.attach_worker(message.worker_attached().volume_group(), std::move(*channel))
            : backend_.attach_observer(message.observer_attached().volume_group(),
                                       std::move(*channel));
    if (!attached) return std::unexpected(attached.error());
    return true;
  }

  Status reconfigure(const internal::Configuration& configuration) override {
    auto catalog = catalog_of(configuration.catalog(), configuration.volume_groups());
    if (!catalog) return std::unexpected(catalog.error());
    backend_.reconfigure(std::move(*catalog), {configuration.volume_groups().begin(),
                                               configuration.volume_groups().end()});
    return {};
  }

  std::vector<prometheus::MetricFamily> metrics() override { return backend_.metrics(); }
  void stop(const Error& reason) override { backend_.end_streams(reason); }
  void end_calls(const Error& reason) override { backend_.end_changes(reason); }
  void detach() override { backend_.detach(); }

 private:
  Backend backend_;
  LvService lv_service_;
  VgService vg_service_;
  OwnerService owner_service_;
};

}  // namespace

Result<std::unique_ptr<ServerModule>> make_server_module(server::Host& host,
                                                         const internal::ServerSetup& setup) {
  auto catalog = catalog_of(setup.catalog(), setup.volume_groups());
  if (!catalog) return std::unexpected(catalog.error());
  return std::make_unique<ServerModuleImpl>(host, std::move(*catalog), setup);
}

}  // namespace lvmd::volumes
