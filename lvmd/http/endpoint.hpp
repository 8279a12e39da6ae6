// Answers probes and scrapes on a listening socket. Why no library does it:
// docs/adr/0007-metrics-endpoint.md.
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

// One thread for all connections: one that is slow or silent holds up no other. Beyond
// kMaxConnections the next ones wait for a place. Nothing runs while nobody is connected.
class Endpoint {
 public:
  static constexpr std::size_t kMaxConnections = 64;
  static constexpr std::size_t kMaxHead = 8192;
  // From its acceptance to its last byte.
  static constexpr std::chrono::seconds kConnectionLimit{3};

  // `socket` listens. `pages` are made on the endpoint's thread; one that throws is answered with
  // 500 and logged.
  [[nodiscard]] static Result<std::unique_ptr<Endpoint>> open(UniqueFd socket, Pages pages);
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  ~Endpoint();

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    UniqueFd fd;
    Clock::time_point deadline;
    std::string head{};
    // What is still to be sent; empty while the head isn't whole.
    std::string answer{};
  };

  Endpoint(UniqueFd socket, UniqueFd wakeup, Pages pages);
  void run();
  [[nodiscard]] int timeout() const;
  void accept_one();
  // False when the connection has ended.
  [[nodiscard]] bool go_on(Connection& connection) const;
  [[nodiscard]] bool receive(Connection& connection) const;
  [[nodiscard]] static bool send(Connection& connection);

  const UniqueFd socket_;
  const UniqueFd wakeup_;
  const Pages pages_;
  std::vector<Connection> connections_;
  // There were no descriptors for the next connection: it is left alone for a moment.
  bool paused_ = false;
  std::thread thread_;
};

}  // namespace lvmd::http
