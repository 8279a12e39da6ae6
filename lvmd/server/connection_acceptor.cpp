#include "lvmd/server/connection_acceptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/server/peer_log.hpp"

namespace lvmd::server {
namespace {

// The pause after an error that may pass by itself, such as a lack of descriptors.
constexpr int kPauseMilliseconds = 100;
// Bounds the memory of the refused users. When it is reached, refusals are logged anew.
constexpr std::size_t kMaxRefusedUids = 1024;

// Whether the error concerns one connection, not the listening socket.
bool is_connection_error(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == ECONNABORTED || error == EINTR;
}

}  // namespace

Result<std::unique_ptr<ConnectionAcceptor>> ConnectionAcceptor::open(
    UniqueFd socket, std::string path, std::vector<gid_t> allowed, PeerTable& peers,
    Metrics& metrics, std::function<void(UniqueFd)> connected) {
  // accept4() must not block when a client disconnects between poll() and accept4().
  const int flags = ::fcntl(socket.get(), F_GETFL);
  if (flags < 0 || ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK) < 0)
    return fail_errno(errno, "O_NONBLOCK on the socket " + path);
  UniqueFd wakeup{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!wakeup) return fail_errno(errno, "eventfd");
  return std::unique_ptr<ConnectionAcceptor>{
      new ConnectionAcceptor{std::move(socket), std::move(wakeup), std::move(path),
                             std::move(allowed), peers, metrics, std::move(connected)}};
}

ConnectionAcceptor::ConnectionAcceptor(UniqueFd socket, UniqueFd wakeup, std::string path,
                                       std::vector<gid_t> allowed, PeerTable& peers,
                                       Metrics& metrics, std::function<void(UniqueFd)> connected)
    : socket_(std::move(socket)),
      wakeup_(std::move(wakeup)),
      path_(std::move(path)),
      allowed_(std::move(allowed)),
      peers_(peers),
      metrics_(metrics),
      connected_(std::move(connected)),
      thread_([this] { run(); }) {}

ConnectionAcceptor::~ConnectionAcceptor() {
  const std::uint64_t one = 1;
  // The write can't fail: nothing else adds to this counter.
  [[maybe_unused]] const auto written = ::write(wakeup_.get(), &one, sizeof one);
  thread_.join();
}

void ConnectionAcceptor::run() {
  bool paused = false;
  for (;;) {
    // During a pause only the wake-up descriptor is polled.
    std::array<pollfd, 2> polled{pollfd{.fd = wakeup_.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = socket_.get(), .events = POLLIN, .revents = 0}};
    const int ready =
        ::poll(polled.data(), paused ? 1 : polled.size(), paused ? kPauseMilliseconds : -1);
    if (polled[0].revents != 0) return;
    paused = false;
    if (ready <= 0 || polled[1].revents == 0) continue;
    if (const auto accepted = accept_one(); !accepted) {
      log::warning(fmt::format("accepting connections at {} pauses for 100 ms: {}", path_,
                               accepted.error().message));
      paused = true;
    }
  }
}

Status ConnectionAcceptor::accept_one() {
  UniqueFd connection{::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
  if (connection)
    admit(std::move(connection));
  else if (!is_connection_error(errno))
    return fail_errno(errno, "accept");
  return {};
}

void ConnectionAcceptor::admit(UniqueFd connection) {
  auto peer = peer_credentials(connection.get());
  if (!peer) return log::warning(fmt::format("{}: {}", path_, peer.error().message));
  if (!may_connect(*peer, allowed_)) return refuse(*peer);
  const uid_t uid = peer->uid;
  auto enrolled = peers_.enroll(std::move(connection), path_, std::move(*peer));
  if (!enrolled) return refuse_over_limit(uid, enrolled.error());
  over_limit_.erase(uid);
  connected_(std::move(*enrolled));
}

void ConnectionAcceptor::refuse_over_limit(uid_t uid, const Error& why) {
  metrics_.connection_refused("limit");
  // Logged once until a connection of this user is accepted again.
  if (over_limit_.insert(uid).second)
    peer_log::write(uid, log::Priority::kWarning, fmt::format("{}: {}", path_, why.message),
                    {{log::kPeerUid, fmt::format("{}", uid)}});
}

void ConnectionAcceptor::refuse(const PeerCredentials& peer) {
  metrics_.connection_refused("not_allowed");
  if (!refused_.insert(peer.uid).second) return;
  log::notice(
      fmt::format("refused uid {} (gid {}, pid {}) at {}: not root and not a member of its "
                  "groups; logged once per uid",
                  peer.uid, peer.gid, peer.pid, path_),
      {{log::kPeerPid, fmt::format("{}", peer.pid)}, {log::kPeerUid, fmt::format("{}", peer.uid)}});
  if (refused_.size() > kMaxRefusedUids) refused_.clear();
}

}  // namespace lvmd::server
