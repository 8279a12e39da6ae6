#include "lvmd/server/serve.hpp"

#include <prometheus/text_serializer.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/http/endpoint.hpp"
#include "lvmd/server/connection_acceptor.hpp"
#include "lvmd/server/control.hpp"
#include "lvmd/server/grpc_endpoint.hpp"
#include "lvmd/server/health_service.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/incomplete_requests.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/server/peer_log.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {
namespace {

using namespace std::chrono_literals;

// The interval of reports about suppressed log entries.
constexpr auto kLogInterval = 10s;
// The time limit of the server's call to itself; a longer one means that the server is stuck.
constexpr auto kOwnCallLimit = 4s;
// The interval of checks whether the supervisor still runs while the stop waits for answers.
constexpr auto kStopInterval = 500ms;
// The time for the last answers and ends of streams before the process ends.
constexpr auto kLastAnswersLimit = 500ms;

constexpr int kWantedConnections = 4096;
constexpr int kFirstConnectionNumber = 256;

// gRPC's default, set explicitly because it is documented [P-WIRE-7].
constexpr std::size_t kLargestRequest = 4U << 20U;
// The limit of sockets whose requests contain short names only.
constexpr std::size_t kLargestRead = 64U << 10U;
// The limits of incomplete requests [P-SOCK-25]. They are separate, so that read-only clients can't
// end the connections of clients that change volumes.
constexpr std::size_t kFullBuffer = 128U << 20U;
constexpr std::size_t kReadOnlyBuffer = 64U << 20U;
// kubelet is one client, with one call for each volume.
constexpr std::size_t kKubeletBuffer = 16U << 20U;

// Reserves as many connections as the limit of open files permits; lower descriptors stay for
// everything else.
PeerTable make_peer_table() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = limit.rlim_max = 1024;
  constexpr rlim_t kWanted = kFirstConnectionNumber + kWantedConnections;
  if (limit.rlim_cur < kWanted && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = std::min(kWanted, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      log::warning("the limit of open files can't be raised: " +
                   errno_error(errno, "setrlimit").message);
      ::getrlimit(RLIMIT_NOFILE, &limit);
    }
  }
  const int end = static_cast<int>(std::min(kWanted, limit.rlim_cur));
  return PeerTable{std::min(kFirstConnectionNumber, end / 2), end};
}

// Absent for a socket without gRPC, such as the one of the metrics.
std::optional<SocketKind> kind_of(internal::ListeningSocket::Kind kind) {
  if (kind == internal::ListeningSocket::FULL) return SocketKind::kFull;
  if (kind == internal::ListeningSocket::READ_ONLY) return SocketKind::kReadOnly;
  if (kind == internal::ListeningSocket::CSI) return SocketKind::kCsi;
  if (kind == internal::ListeningSocket::REGISTRATION) return SocketKind::kRegistration;
  return std::nullopt;
}

struct RequestLimits {
  std::size_t request_bytes = kLargestRequest;
  // Of the incomplete requests of all connections.
  std::size_t incomplete_bytes = kFullBuffer;
};

RequestLimits limits_of(SocketKind kind) {
  switch (kind) {
    case SocketKind::kFull:
      break;
    case SocketKind::kReadOnly:
      return {.request_bytes = kLargestRead, .incomplete_bytes = kReadOnlyBuffer};
    case SocketKind::kCsi:
      return {.request_bytes = kLargestRequest, .incomplete_bytes = kKubeletBuffer};
    case SocketKind::kRegistration:
      return {.request_bytes = kLargestRead, .incomplete_bytes = kKubeletBuffer};
  }
  return {};
}

// The sockets and services for clients. Members are destroyed in reverse order of their
// declaration.
class Frontend {
 public:
  Frontend(Host& host, PeerTable& peers, const Modules& modules)
      : host_(host),
        peers_(peers),
        modules_(modules),
        health_service_(modules.health(), host),
        incomplete_requests_([this](const auto& ended) { connection_ended(ended); }) {
    incomplete_requests_.install();
  }

  // InvalidArgument unless exactly one socket is full.
  [[nodiscard]] Status open(Setup setup) {
    const auto& descriptions = setup.message.listening_sockets();
    // All endpoints start before the first connection is accepted.
    for (const internal::ListeningSocket& description : descriptions)
      if (const auto kind = kind_of(description.kind()))
        if (auto started = start(*kind); !started) return started;
    if (!endpoints_.contains(SocketKind::kFull))
      return fail(Code::kInvalidArgument, "the server's setup has no full socket");
    for (int i = 0; i < descriptions.size(); ++i)
      if (auto opened =
              accept(descriptions[i], std::move(setup.sockets[static_cast<std::size_t>(i)]));
          !opened)
        return opened;
    return {};
  }

  // Accepts no new connection and no new change.
  void refuse_new() {
    acceptors_.clear();
    host_.calls().close();
  }

  [[nodiscard]] bool answers() { return endpoints_.at(SocketKind::kFull)->answers(kOwnCallLimit); }

 private:
  [[nodiscard]] Status start(SocketKind kind) {
    std::vector<grpc::Service*> services{&health_service_};
    for (const auto& module : modules_)
      std::ranges::copy(module->services(kind), std::back_inserter(services));
    auto endpoint = GrpcEndpoint::start(services, limits_of(kind).request_bytes);
    if (!endpoint) return std::unexpected(endpoint.error());
    if (!endpoints_.emplace(kind, std::move(*endpoint)).second)
      return fail(Code::kInvalidArgument, "the server's setup has two sockets of one kind");
    return {};
  }

  [[nodiscard]] Status accept(const internal::ListeningSocket& description, UniqueFd socket) {
    if (description.kind() == internal::ListeningSocket::METRICS)
      return open_metrics(std::move(socket));
    const auto kind = kind_of(description.kind());
    if (!kind)
      return fail(Code::kInvalidArgument, "the server's setup has a socket of unknown kind");
    GrpcEndpoint& endpoint = *endpoints_.at(*kind);
    auto acceptor = ConnectionAcceptor::open(
        std::move(socket), description.path(),
        {description.group_ids().begin(), description.group_ids().end()}, peers_, host_.metrics(),
        [this, &endpoint,
         limit = IncompleteRequests::Limit{.path = description.path(),
                                           .bytes = limits_of(*kind).incomplete_bytes}](
            UniqueFd connection) {
          incomplete_requests_.begin(connection.get(), limit);
          endpoint.add(std::move(connection));
        });
    if (!acceptor) return std::unexpected(acceptor.error());
    acceptors_.push_back(std::move(*acceptor));
    return {};
  }

  void connection_ended(const IncompleteRequests::Ended& ended) {
    host_.metrics().connection_refused("memory");
    const auto peer =
        peers_.find(fmt::format("fd:{}", ended.connection)).value_or(PeerCredentials{});
    peer_log::write(
        peer.uid, log::Priority::kWarning,
        fmt::format("{}: closed the connection of pid {}, because its incomplete requests take {} "
                    "bytes, and those of all connections of this socket more than {} bytes",
                    ended.limit.path, peer.pid, ended.bytes, ended.limit.bytes),
        {{log::kPeerPid, fmt::format("{}", peer.pid)},
         {log::kPeerUid, fmt::format("{}", peer.uid)}});
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

  [[nodiscard]] std::string metrics_text() const {
    auto families = host_.metrics().collect();
    for (const auto& module : modules_)
      std::ranges::move(module->metrics(), std::back_inserter(families));
    return prometheus::TextSerializer{}.Serialize(families);
  }

  Host& host_;
  PeerTable& peers_;
  const Modules& modules_;
  HealthService health_service_;
  IncompleteRequests incomplete_requests_;
  std::map<SocketKind, std::unique_ptr<GrpcEndpoint>> endpoints_;
  std::vector<std::unique_ptr<ConnectionAcceptor>> acceptors_;
  std::unique_ptr<http::Endpoint> metrics_;
};

Status send_ready(Host& host) {
  internal::ChildEvent event;
  event.mutable_ready();
  return host.send(event);
}

// Waits until `done` returns true or the order is no longer `order`.
template <typename Done>
void wait_until(Control& control, Control::Order order, std::chrono::milliseconds interval,
                const Done& done) {
  while (!done() && control.wait(order, interval) == order) {
    peer_log::report_suppressed();
  }
}

// Ends the process without gRPC's shutdown (grpc_endpoint.hpp). A call that remains ends with its
// connection, which its client reports as UNAVAILABLE.
[[noreturn]] void leave() {
  peer_log::report_suppressed();
  log::info("stopped");
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace

Status serve(ipc::Channel& control, MakeModules make_modules) {
  auto setup = receive_setup(control);
  if (!setup) return std::unexpected(setup.error());
  PeerTable peers = make_peer_table();
  Host host{control, peers};
  for (const internal::Restarts& child : setup->message.restarts())
    host.metrics().set_restarts(child.child(), child.count());
  auto modules = make_modules(host, setup->message);
  if (!modules) return std::unexpected(modules.error());
  Frontend frontend{host, peers, *modules};
  Control orders{control, host, *modules};
  for (const auto& module : *modules)
    if (auto started = module->start(); !started) return started;
  if (auto opened = frontend.open(std::move(*setup)); !opened) return opened;
  // From here on callers may connect. If the frame can't be sent, the supervisor has ended, and
  // Order::kLeave follows.
  if (send_ready(host)) log::info("serving");
  orders.answer_pings_if([&frontend] { return frontend.answers(); });
  wait_until(orders, Control::Order::kRun, kLogInterval, [] { return false; });
  orders.answer_pings_if({});

  frontend.refuse_new();
  const Error stopping =
      make_error(Code::kUnavailable, "lvmd is stopping").because(reason::kStopping);
  for (const auto& module : *modules) module->stop(stopping);
  wait_until(orders, Control::Order::kStop, 0ms,
             [&] { return host.calls().wait_until_empty(kStopInterval); });
  // Without the supervisor no process answers the calls.
  if (orders.wait(Control::Order::kStop, 0ms) == Control::Order::kLeave)
    for (const auto& module : *modules) module->end_calls(stopping);
  static_cast<void>(host.calls().wait_until_empty(kLastAnswersLimit));
  static_cast<void>(host.streams().wait_until_empty(kLastAnswersLimit));
  leave();
}

}  // namespace lvmd::server
