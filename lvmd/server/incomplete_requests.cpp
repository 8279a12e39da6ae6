#include "lvmd/server/incomplete_requests.hpp"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <span>

namespace lvmd::server {
namespace {

std::atomic<IncompleteRequests*>& installed_object() {
  static std::atomic<IncompleteRequests*> object;
  return object;
}

}  // namespace

IncompleteRequests::~IncompleteRequests() {
  IncompleteRequests* self = this;
  installed_object().compare_exchange_strong(self, nullptr);
}

void IncompleteRequests::begin(int connection, const Limit& limit) {
  const std::lock_guard lock{mutex_};
  // gRPC doesn't tell when it closes a connection, so an earlier one may still be counted.
  if (const auto earlier = connections_.find(connection); earlier != connections_.end())
    release(earlier->second);
  Socket& socket = sockets_.try_emplace(limit.path, Socket{limit}).first->second;
  connections_.insert_or_assign(connection, Connection{.socket = &socket, .frames = {}});
}

void IncompleteRequests::received(int connection, const msghdr& message, std::size_t size) {
  for (const Ended& ended : count(connection, message, size)) ended_(ended);
}

std::vector<IncompleteRequests::Ended> IncompleteRequests::count(int connection,
                                                                 const msghdr& message,
                                                                 std::size_t size) {
  const std::lock_guard lock{mutex_};
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.ended) return {};
  auto& [socket, frames, held, ended] = found->second;
  if (size == 0) {
    release(found->second);
    connections_.erase(found);
    return {};
  }
  for (const iovec& part : std::span{message.msg_iov, message.msg_iovlen}) {
    const std::size_t taken = std::min(part.iov_len, size);
    frames.take({static_cast<const std::byte*>(part.iov_base), taken});
    size -= taken;
  }
  socket->held += frames.held_bytes() - held;
  held = frames.held_bytes();
  return enforce(*socket);
}

bool IncompleteRequests::has_ended(int connection) const {
  const std::lock_guard lock{mutex_};
  const auto found = connections_.find(connection);
  return found != connections_.end() && found->second.ended;
}

void IncompleteRequests::install() { installed_object() = this; }

IncompleteRequests* IncompleteRequests::installed() { return installed_object(); }

void IncompleteRequests::release(Connection& connection) {
  connection.socket->held -= connection.held;
  connection.held = 0;
}

std::vector<IncompleteRequests::Ended> IncompleteRequests::enforce(Socket& socket) {
  std::vector<Ended> all;
  while (socket.held > socket.limit.bytes) {
    const auto most = std::ranges::max_element(connections_, {}, [&](const auto& entry) {
      return entry.second.socket == &socket ? entry.second.held : 0;
    });
    const Ended ended{.connection = most->first, .bytes = most->second.held, .limit = socket.limit};
    release(most->second);
    if (::fcntl(ended.connection, F_GETFD) < 0) continue;
    most->second.ended = true;
    ::shutdown(ended.connection, SHUT_RDWR);
    all.push_back(ended);
  }
  return all;
}

}  // namespace lvmd::server
