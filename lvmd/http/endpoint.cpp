#include "lvmd/http/endpoint.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::http {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
// The interval at which deadlines of connections are checked.
constexpr int kPollMilliseconds = 500;

bool is_retry() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

std::string answer_or_error(std::string_view head, const Pages& pages) {
  try {
    return http_answer(head, pages);
  } catch (const std::exception& unexpected) {
    log::error(fmt::format("cannot create the page of an HTTP request: {}", unexpected.what()));
    return internal_error_answer();
  }
}

}  // namespace

Result<std::unique_ptr<Endpoint>> Endpoint::open(UniqueFd socket, Pages pages) {
  // accept() must not block the thread if the client disconnects after poll().
  const int flags = ::fcntl(socket.get(), F_GETFL);
  if (flags < 0 || ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK) < 0)
    return fail_errno(errno, "O_NONBLOCK on a listening socket");
  UniqueFd wakeup{::eventfd(0, EFD_CLOEXEC)};
  if (!wakeup) return fail_errno(errno, "eventfd");
  return std::unique_ptr<Endpoint>{
      new Endpoint{std::move(socket), std::move(wakeup), std::move(pages)}};
}

Endpoint::Endpoint(UniqueFd socket, UniqueFd wakeup, Pages pages)
    : socket_(std::move(socket)),
      wakeup_(std::move(wakeup)),
      pages_(std::move(pages)),
      thread_([this] { run(); }) {}

Endpoint::~Endpoint() {
  // Cannot fail: the counter is far below its maximum.
  static_cast<void>(::eventfd_write(wakeup_.get(), 1));
  thread_.join();
}

void Endpoint::run() {
  while (true) {
    std::vector<pollfd> polled{{.fd = wakeup_.get(), .events = POLLIN, .revents = 0}};
    // poll() ignores negative descriptors.
    const bool can_accept = connections_.size() < kMaxConnections && !paused_;
    polled.push_back({.fd = can_accept ? socket_.get() : -1, .events = POLLIN, .revents = 0});
    for (const Connection& connection : connections_) {
      const short events = connection.answer.empty() ? POLLIN : POLLOUT;
      polled.push_back({.fd = connection.fd.get(), .events = events, .revents = 0});
    }
    static_cast<void>(::poll(polled.data(), polled.size(), timeout()));
    if (polled[0].revents != 0) return;
    paused_ = false;
    const auto now = Clock::now();
    std::erase_if(connections_, [&](Connection& connection) {
      return !go_on(connection) || now > connection.deadline;
    });
    if (polled[1].revents != 0) accept_one();
  }
}

int Endpoint::timeout() const { return connections_.empty() && !paused_ ? -1 : kPollMilliseconds; }

void Endpoint::accept_one() {
  UniqueFd fd{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
  if (fd) {
    connections_.push_back({.fd = std::move(fd), .deadline = Clock::now() + kConnectionLimit});
    return;
  }
  // ECONNABORTED: the client disconnected before it was accepted.
  if (is_retry() || errno == ECONNABORTED) return;
  log::warning("cannot accept an HTTP connection, will try again: " +
               errno_error(errno, "accept").message);
  paused_ = true;
}

bool Endpoint::go_on(Connection& connection) const {
  return connection.answer.empty() ? receive(connection) : send(connection);
}

bool Endpoint::receive(Connection& connection) const {
  std::array<char, 1024> part{};
  const ssize_t got = ::recv(connection.fd.get(), part.data(), part.size(), 0);
  if (got < 0) return is_retry();
  if (got == 0) return false;
  connection.head.append(part.data(), static_cast<std::size_t>(got));
  if (connection.head.contains(kEndOfHead)) {
    connection.answer = answer_or_error(connection.head, pages_);
    return send(connection);
  }
  return connection.head.size() < kMaxHead;
}

bool Endpoint::send(Connection& connection) {
  std::string& answer = connection.answer;
  const ssize_t sent = ::send(connection.fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  if (sent < 0) return is_retry();
  answer.erase(0, static_cast<std::size_t>(sent));
  return !answer.empty();
}

}  // namespace lvmd::http
