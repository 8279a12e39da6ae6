// The limit of the memory for requests that have not arrived completely [P-SOCK-25].
//
// gRPC 1.51 has a limit for its memory, the resource quota, but its code for a reached limit uses
// connections that another thread has just freed. So lvmd sets no quota, and counts what gRPC
// receives: the program defines recvmsg(), which gRPC calls (received_messages.cpp). The reasons:
// docs/adr/0028-memory-of-requests.md.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/server/request_frames.hpp"

namespace lvmd::server {

// The connections of all sockets. Thread-safe.
class IncompleteRequests {
 public:
  // What the incomplete requests of a socket's connections may take together.
  struct Limit {
    // The socket.
    std::string path;
    std::size_t bytes = 0;
  };

  struct Ended {
    int connection = -1;
    // What its incomplete requests took.
    std::size_t bytes = 0;
    Limit limit;
  };

  // `ended` is called for each connection that was ended, by the thread that received the bytes
  // beyond the limit, without a lock.
  explicit IncompleteRequests(std::function<void(const Ended&)> ended) : ended_(std::move(ended)) {}
  IncompleteRequests(const IncompleteRequests&) = delete;
  IncompleteRequests& operator=(const IncompleteRequests&) = delete;
  ~IncompleteRequests();

  // Counts from now on what is received on `connection`, a new connection whose number may have
  // been another one's before. Limits with the same path share one count.
  void begin(int connection, const Limit& limit);

  // `size` bytes were received on `connection` with `message`; or, with 0, the connection has
  // ended. While the requests of the socket take more than the limit, ends the connection whose
  // requests take most: both sides read the end of the stream. No effect for a descriptor that was
  // not begun.
  void received(int connection, const msghdr& message, std::size_t size);

  // Whether the connection was ended for the limit. What it still has to read must not be read.
  [[nodiscard]] bool has_ended(int connection) const;

  // Makes this the object of the process, for received_messages.cpp, until it is destroyed.
  void install();
  // Null without one.
  [[nodiscard]] static IncompleteRequests* installed();

 private:
  struct Socket {
    Limit limit;
    std::size_t held = 0;
  };
  struct Connection {
    Socket* socket = nullptr;
    RequestFrames frames;
    std::size_t held = 0;
    bool ended = false;
  };

  void release(Connection& connection);
  [[nodiscard]] std::vector<Ended> enforce(Socket& socket);
  [[nodiscard]] std::vector<Ended> count(int connection, const msghdr& message, std::size_t size);

  const std::function<void(const Ended&)> ended_;
  mutable std::mutex mutex_;
  std::map<std::string, Socket> sockets_;
  std::map<int, Connection> connections_;
};

}  // namespace lvmd::server
