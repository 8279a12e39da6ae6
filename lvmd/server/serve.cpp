#include "lvmd/server/serve.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/http/endpoint.hpp"
#include "lvmd/server/backend.hpp"
#include "lvmd/server/control.hpp"
#include "lvmd/server/grpc_endpoint.hpp"
#include "lvmd/server/health_service.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/listener.hpp"
#include "lvmd/server/lv_service.hpp"
#include "lvmd/server/mount_service.hpp"
#include "lvmd/server/owner_service.hpp"
#include "lvmd/server/peer_log.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/transfer_metrics.hpp"
#include "lvmd/server/transfer_service.hpp"
#include "lvmd/server/transfers.hpp"
#include "lvmd/server/vg_service.hpp"

namespace lvmd::server {
namespace {

using namespace std::chrono_literals;

// How long clients wait in the sockets' backlog for the first states.
constexpr auto kFirstStatesLimit = 5s;
// How often entries that the log withheld are told of.
constexpr auto kLogInterval = 10s;
// What a call of the server's own may take before the server counts as wedged.
constexpr auto kOwnCallLimit = 4s;
// While answers are waited for, how often it is looked whether the supervisor is still there.
constexpr auto kStopInterval = 500ms;
// For answers and ends of streams that are on their way when everything else has ended.
constexpr auto kLastAnswersLimit = 500ms;

constexpr int kWantedConnections = 4096;
constexpr int kFirstConnectionNumber = 256;

// gRPC's own default, written down because it is a promise [P-WIRE-7].
constexpr std::size_t kLargestRequest = 4U << 20U;
// Requests there name a class or a service.
constexpr std::size_t kLargestRead = 64U << 10U;
// Apart, so that whoever may only read takes nothing from those who change volumes [P-SOCK-25].
constexpr std::size_t kFullBuffer = 128U << 20U;
constexpr std::size_t kReadOnlyBuffer = 64U << 20U;

// As many connections as the process may have, with room below them for everything else.
PeerTable make_peer_table() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = limit.rlim_max = 1024;
  constexpr rlim_t kWanted = kFirstConnectionNumber + kWantedConnections;
  if (limit.rlim_cur < kWanted && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = std::min(kWanted, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      log::warning("the limit of open files stays as it is: " +
                   errno_error(errno, "setrlimit").message);
      ::getrlimit(RLIMIT_NOFILE, &limit);
    }
  }
  const int end = static_cast<int>(std::min(kWanted, limit.rlim_cur));
  return PeerTable{std::min(kFirstConnectionNumber, end / 2), end};
}

// Everything that clients reach, in the order in which it can go again.
class Frontend {
 public:
  Frontend(Backend& backend, PeerTable& peers, Transfers& transfers,
           std::vector<std::string> mount_roots)
      : backend_(backend),
        peers_(peers),
        transfers_(transfers),
        lv_service_(backend, peers, in_flight_),
        mount_service_(backend, peers, in_flight_, std::move(mount_roots)),
        owner_service_(backend, peers, in_flight_),
        vg_service_(backend, peers, streams_),
        transfer_service_(backend, peers, transfers, in_flight_, streams_),
        health_service_(backend.health(), peers, backend.metrics(), streams_) {}

  [[nodiscard]] Status open(Setup setup) {
    auto full = GrpcEndpoint::start(
        {&lv_service_, &vg_service_, &mount_service_, &owner_service_, &transfer_service_,
         &health_service_},
        {.name = "full", .request_bytes = kLargestRequest, .buffered_bytes = kFullBuffer});
    if (!full) return std::unexpected(full.error());
    auto read_only = GrpcEndpoint::start(
        {&vg_service_, &health_service_},
        {.name = "read-only", .request_bytes = kLargestRead, .buffered_bytes = kReadOnlyBuffer});
    if (!read_only) return std::unexpected(read_only.error());
    full_ = std::move(*full);
    read_only_ = std::move(*read_only);

    auto full_listener =
        Listener::open(std::move(setup.full_socket), std::move(setup.socket_path),
                       std::move(setup.full_groups), peers_, backend_.metrics(),
                       [this](UniqueFd connection) { full_->add(std::move(connection)); });
    if (!full_listener) return std::unexpected(full_listener.error());
    auto read_only_listener =
        Listener::open(std::move(setup.read_only_socket), std::move(setup.read_only_socket_path),
                       std::move(setup.read_only_groups), peers_, backend_.metrics(),
                       [this](UniqueFd connection) { read_only_->add(std::move(connection)); });
    if (!read_only_listener) return std::unexpected(read_only_listener.error());
    full_listener_ = std::move(*full_listener);
    read_only_listener_ = std::move(*read_only_listener);
    return setup.metrics_socket ? open_metrics(std::move(setup.metrics_socket)) : Status{};
  }

  [[nodiscard]] Status open_metrics(UniqueFd socket) {
    auto endpoint = http::Endpoint::open(
        std::move(socket),
        {{"/metrics",
          [this] { return http::Page{.text = metrics_text(), .type = http::kMetricsText}; }}});
    if (!endpoint) return std::unexpected(endpoint.error());
    metrics_ = std::move(*endpoint);
    return {};
  }

  [[nodiscard]] std::string metrics_text() {
    return backend_.metrics_text({transfer_metric(transfers_.book().list())});
  }

  // No new client, no new change.
  void refuse_new() {
    full_listener_.reset();
    read_only_listener_.reset();
    in_flight_.close();
  }

  [[nodiscard]] InFlight& in_flight() { return in_flight_; }
  [[nodiscard]] bool answers() { return full_->answers(kOwnCallLimit); }
  [[nodiscard]] InFlight& streams() { return streams_; }

 private:
  Backend& backend_;
  PeerTable& peers_;
  Transfers& transfers_;
  // Changes, mounts and starts of transfers.
  InFlight in_flight_;
  InFlight streams_;
  LvService lv_service_;
  MountService mount_service_;
  OwnerService owner_service_;
  VgService vg_service_;
  TransferService transfer_service_;
  HealthService health_service_;
  std::unique_ptr<GrpcEndpoint> full_;
  std::unique_ptr<GrpcEndpoint> read_only_;
  std::unique_ptr<Listener> full_listener_;
  std::unique_ptr<Listener> read_only_listener_;
  std::unique_ptr<http::Endpoint> metrics_;
};

// The backend calls nobody back any more once this has gone.
class Detachment {
 public:
  explicit Detachment(Backend& backend) : backend_(backend) {}
  Detachment(const Detachment&) = delete;
  Detachment& operator=(const Detachment&) = delete;
  ~Detachment() { backend_.detach(); }

 private:
  Backend& backend_;
};

Status tell_ready(Control& control) {
  internal::ChildEvent event;
  event.mutable_ready();
  return control.tell(event);
}

// Until `done`, or until the wish is no longer `wish`.
template <typename Done>
void wait_until(Control& control, Control::Wish wish, std::chrono::milliseconds interval,
                const Done& done) {
  while (!done() && control.wait(wish, interval) == wish) {
    peer_log::tell_withheld();
  }
}

// Without gRPC's shutdown (grpc_endpoint.hpp): whatever call is left ends with its connection,
// which its client takes for UNAVAILABLE.
[[noreturn]] void leave() {
  peer_log::tell_withheld();
  log::info("stopped");
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace

Status serve(ipc::Channel& channel) {
  auto setup = receive_setup(channel);
  if (!setup) return std::unexpected(setup.error());
  PeerTable peers = make_peer_table();
  Backend backend{setup->catalog, setup->volume_groups};
  for (const auto& [volume_group, volumes] : setup->hidden) backend.hide(volume_group, volumes);
  for (const auto& [child, count] : setup->restarts) backend.metrics().set_restarts(child, count);
  SupervisorLink link;
  Transfers transfers{setup->transfers, link, backend};
  // Changes that wait for a worker lead into the transfers.
  const Detachment detachment{backend};
  Frontend frontend{backend, peers, transfers, std::move(setup->mount_roots)};
  Control control{channel, backend, link, transfers};
  if (auto opened = backend.mounters().open(
          [&control](const internal::ChildEvent& event) { return control.tell(event); });
      !opened)
    return opened;

  backend.open(kFirstStatesLimit);
  if (auto opened = frontend.open(std::move(*setup)); !opened) return opened;
  // From here on there may be callers. A supervisor that can't be told is gone: the wish follows.
  if (tell_ready(control)) log::info("serving");
  control.answer_pings_if([&frontend] { return frontend.answers(); });
  wait_until(control, Control::Wish::kRun, kLogInterval, [] { return false; });
  control.answer_pings_if({});

  frontend.refuse_new();
  const Error stopping =
      make_error(Code::kUnavailable, "lvmd is stopping").because(reason::kStopping);
  backend.end_streams(stopping);
  transfers.book().end(stopping);
  // One may take minutes, or hang; it is finished without us.
  backend.mounters().end(make_error(Code::kUnavailable,
                                    "lvmd is stopping; what was begun is finished: the same call "
                                    "again tells when lvmd is back")
                             .because(reason::kStopping));
  wait_until(control, Control::Wish::kStop, 0ms,
             [&] { return frontend.in_flight().wait_until_empty(kStopInterval); });
  // Without a supervisor there is nobody to stay for: what isn't answered by now never is.
  if (control.wait(Control::Wish::kStop, 0ms) == Control::Wish::kLeave)
    backend.end_changes(stopping);
  static_cast<void>(frontend.in_flight().wait_until_empty(kLastAnswersLimit));
  static_cast<void>(frontend.streams().wait_until_empty(kLastAnswersLimit));
  leave();
}

}  // namespace lvmd::server
