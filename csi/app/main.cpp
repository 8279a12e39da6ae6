#include <pthread.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>

#include "csi/app/metrics.hpp"
#include "csi/app/options.hpp"
#include "csi/app/pages.hpp"
#include "csi/app/sidecar_server.hpp"
#include "csi/controller/controller_service.hpp"
#include "csi/controller/identity_service.hpp"
#include "csi/kube/kube_object_store.hpp"
#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/http/endpoint.hpp"
#include "lvmd/http/listening_socket.hpp"
#include "reconciler/kube/kubeconfig.hpp"

namespace lvmd::controller {
namespace {

using reconciler::kube::KubeOptions;

constexpr const char* kProgram = "csi-controller";
// Calls that wait for a node end at once. The others take milliseconds.
constexpr std::chrono::seconds kLastCalls{1};

// Before any thread starts: threads inherit the mask, so the signals wait for sigwait below.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

Result<KubeOptions> access_of(const Options& options) {
  Result<KubeOptions> access = KubeOptions{.server = options.kube_server,
                                           .token_file = options.kube_token_file,
                                           .ca = {.file = options.kube_ca_file}};
  if (!options.kubeconfig.empty()) access = reconciler::kube::read_kubeconfig(options.kubeconfig);
  if (access) access->user_agent = kProgram;
  return access;
}

// Null without --listen-address.
Result<std::unique_ptr<http::Endpoint>> open_endpoint(const std::string& address,
                                                      http::Pages pages) {
  if (address.empty()) return nullptr;
  auto listener = http::listen_at(address);
  if (!listener) return std::unexpected(std::move(listener.error()));
  return http::Endpoint::open(std::move(listener->fd), std::move(pages));
}

Status run(const Options& options, const sigset_t& signals) {
  const auto access = access_of(options);
  if (!access) return std::unexpected(access.error());
  const Driver& driver = options.controller.driver;
  const auto store = kube::open_object_store(*access, driver);
  if (!store) return std::unexpected(store.error());
  Metrics metrics;
  CallEdge edge{[&metrics](std::string_view method, Code code, std::chrono::nanoseconds duration) {
    metrics.call_ended(method, code, duration);
  }};
  IdentityService identity{edge, **store, driver, LVMD_VERSION};
  ControllerService controller{edge, **store, options.controller};
  const auto endpoint = open_endpoint(options.listen_address, make_pages(**store, metrics));
  if (!endpoint) return std::unexpected(endpoint.error());
  const auto server = serve_sidecars(options.csi_socket, {&identity, &controller});
  if (!server) return std::unexpected(server.error());
  log::notice(fmt::format("started, version {}, driver {}, socket {}", LVMD_VERSION, driver.name,
                          options.csi_socket));
  int signal = 0;
  sigwait(&signals, &signal);
  log::notice("stopping");
  (*store)->stop();
  (*server)->Shutdown(std::chrono::system_clock::now() + kLastCalls);
  return {};
}

}  // namespace
}  // namespace lvmd::controller

int main(int argc, char** argv) {
  using namespace lvmd;
  const auto options = controller::parse_options(argc, argv, std::cout, std::cerr);
  if (!options) return options.error();
  limit_heap();
  log::init(controller::kProgram, options->log_level);
  const sigset_t signals = controller::block_signals();
  const Status done = controller::run(*options, signals);
  if (done) return 0;
  log::error(describe(done.error()));
  return 1;
}
