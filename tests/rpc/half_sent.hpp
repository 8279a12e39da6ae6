// Callers who begin large requests and never finish them, in HTTP/2 by hand: gRPC's own client
// sends a message whole.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lvmd::rpc {

struct HalfSentSpec {
  std::string socket;
  // "/proto.VGService/GetFreeBytes".
  std::string path;
  std::size_t connections = 0;
  std::size_t requests_per_connection = 0;
  // How long each request says that it is, and how much of it is sent.
  std::size_t announced = 0;
  std::size_t sent = 0;
};

class HalfSent {
 public:
  // Connects; the case fails when a connection is refused.
  explicit HalfSent(const HalfSentSpec& spec);
  HalfSent(const HalfSent&) = delete;
  HalfSent& operator=(const HalfSent&) = delete;
  // Ends the connections.
  ~HalfSent();

  // Sends as fast as the server lets it, until `bytes` are sent in all or `limit` is over. A
  // request that the server ends is begun anew, and so is a connection.
  void send(std::size_t bytes, std::chrono::milliseconds limit);

  [[nodiscard]] std::size_t bytes_sent() const;
  // How often the server has ended a request or a connection.
  [[nodiscard]] std::size_t refusals() const;

 private:
  class Connection;
  HalfSentSpec spec_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace lvmd::rpc
