// An HTTP server for probes and metrics. docs/adr/0007-metrics-endpoint.md explains why lvmd does
// not use a library.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/http/http_answer.hpp"

namespace lvmd::http {

// One thread serves all connections without blocking, so a slow or silent client delays no other.
// While kMaxConnections are open, the kernel queues further ones. Without connections, the thread
// sleeps.
class Endpoint {
 public:
  static constexpr std::size_t kMaxConnections = 64;
  static constexpr std::size_t kMaxHead = 8192;
  // The time limit of a connection, from its acceptance to the last byte of the response.
  static constexpr std::chrono::seconds kConnectionLimit{3};

  // `socket` must listen. The thread of the endpoint calls the functions of `pages`. If one throws,
  // the endpoint logs the exception and responds with status 500. Returns Internal if the socket
  // cannot be set up.
  [[nodiscard]] static Result<std::unique_ptr<Endpoint>> open(UniqueFd socket, Pages pages);
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  // Closes all connections and joins the thread.
  ~Endpoint();

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    UniqueFd fd;
    Clock::time_point deadline;
    std::string head{};
    // The rest of the response; empty until the head of the request is complete.
    std::string answer{};
  };

  Endpoint(UniqueFd socket, UniqueFd wakeup, Pages pages);
  void run();
  [[nodiscard]] int timeout() const;
  void accept_one();
  // False if the connection has ended.
  [[nodiscard]] bool go_on(Connection& connection) const;
  [[nodiscard]] bool receive(Connection& connection) const;
  [[nodiscard]] static bool send(Connection& connection);

  const UniqueFd socket_;
  const UniqueFd wakeup_;
  const Pages pages_;
  std::vector<Connection> connections_;
  // The last accept() failed, for example for lack of descriptors. The thread tries again after
  // its next wait.
  bool paused_ = false;
  std::thread thread_;
};

}  // namespace lvmd::http
