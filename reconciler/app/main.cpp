#include <pthread.h>

#include <csignal>
#include <memory>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/http/endpoint.hpp"
#include "lvmd/http/listening_socket.hpp"
#include "reconciler/app/controller.hpp"
#include "reconciler/app/options.hpp"
#include "reconciler/app/pages.hpp"
#include "reconciler/directory/directory_store.hpp"
#include "reconciler/kube/kube_store.hpp"
#include "reconciler/kube/kubeconfig.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"

namespace lvmd::reconciler {
namespace {

struct Stores {
  std::unique_ptr<VolumeStore> volumes;
  // Null without online snapshots.
  std::unique_ptr<SnapshotCatalog> catalog{};
  // Null also without objects for backup locations.
  std::unique_ptr<BackupLocationStore> backup_locations{};
};

Result<Stores> open_kube_stores(const Options& options) {
  Result<kube::KubeOptions> access = kube::KubeOptions{.server = options.kube_server,
                                                       .token_file = options.kube_token_file,
                                                       .ca = {.file = options.kube_ca_file}};
  if (!options.kubeconfig.empty()) access = kube::read_kubeconfig(options.kubeconfig);
  if (!access) return std::unexpected(std::move(access.error()));
  access->node_name = options.node_name;
  auto volumes = kube::open_kube_store(*access);
  if (!volumes) return std::unexpected(std::move(volumes.error()));
  if (!options.online_snapshots) return Stores{.volumes = std::move(*volumes)};
  auto catalog = kube::open_snapshot_catalog(*access);
  if (!catalog) return std::unexpected(std::move(catalog.error()));
  auto backup_locations = kube::open_backup_location_store(*access);
  if (!backup_locations) return std::unexpected(std::move(backup_locations.error()));
  return Stores{.volumes = std::move(*volumes),
                .catalog = std::move(*catalog),
                .backup_locations = std::move(*backup_locations)};
}

Result<Stores> open_stores(const Options& options) {
  if (options.store == StoreKind::kKube) return open_kube_stores(options);
  auto store = directory::DirectoryStore::open({.folder = options.manifests,
                                                .state_directory = options.state_directory,
                                                .delete_after = options.delete_after,
                                                .node_name = options.node_name});
  if (!store) return std::unexpected(std::move(store.error()));
  return Stores{.volumes = std::move(*store),
                .catalog = options.online_snapshots ? directory::make_snapshot_catalog() : nullptr};
}

// Before any thread starts: threads inherit the mask, so the signals wait for sigwait below.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Null without --listen-address.
Result<std::unique_ptr<http::Endpoint>> open_endpoint(const Options& options,
                                                      const Controller& runner) {
  if (options.listen_address.empty()) return nullptr;
  auto listener = http::listen_at(options.listen_address);
  if (!listener) return std::unexpected(std::move(listener.error()));
  return http::Endpoint::open(
      std::move(listener->fd),
      make_pages({.is_store_ready = [&runner] { return runner.is_store_ready(); },
                  .is_lvmd_connected = [&runner] { return runner.is_lvmd_connected(); },
                  .metrics = [&runner] { return runner.metrics(); },
                  .orphans = [&runner] { return runner.orphans(); }}));
}

Status run(const Options& options, const sigset_t& signals) {
  const auto stores = open_stores(options);
  if (!stores) return std::unexpected(stores.error());
  const auto service = make_lvmd_client(options.lvmd_socket);
  const auto transfers = make_transfer_client(options.lvmd_socket);
  const auto uses = make_volume_use_client(options.lvmd_socket);
  Controller runner{*stores->volumes,
                    *service,
                    options.dry_run ? Mode::kDryRun : Mode::kAct,
                    {.remove_after = options.remove_orphans_after},
                    {.transfers = transfers.get(),
                     .catalog = stores->catalog.get(),
                     .gate = options.restore_gate,
                     .backup_locations = stores->backup_locations.get()},
                    uses.get()};
  if (auto started = runner.start(); !started) return started;
  const auto endpoint = open_endpoint(options, runner);
  if (!endpoint) return std::unexpected(endpoint.error());
  log::notice(fmt::format("started, version {}, node {}, lvmd at {}", LVMD_VERSION,
                          options.node_name, options.lvmd_socket));
  int signal = 0;
  sigwait(&signals, &signal);
  log::notice("stopping");
  runner.stop();
  return {};
}

}  // namespace
}  // namespace lvmd::reconciler

int main(int argc, char** argv) {
  using namespace lvmd;
  const auto options = reconciler::parse_options(argc, argv);
  if (!options) return options.error();
  limit_heap();
  log::init("lvmd-reconciler", options->log_level);
  const sigset_t signals = reconciler::block_signals();
  const Status done = reconciler::run(*options, signals);
  if (done) return 0;
  log::error(describe(done.error()));
  return 1;
}
