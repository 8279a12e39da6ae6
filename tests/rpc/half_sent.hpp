// Callers that begin large requests and never finish them, in hand-written HTTP/2: gRPC's client
// sends complete messages only.
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
  // The announced length of each request, and the length that is sent.
  std::size_t announced = 0;
  std::size_t sent = 0;
};

class HalfSent {
 public:
  // Connects. The case fails when a connection is refused.
  explicit HalfSent(HalfSentSpec spec);
  HalfSent(const HalfSent&) = delete;
  HalfSent& operator=(const HalfSent&) = delete;
  // Closes the connections.
  ~HalfSent();

  // Sends as fast as the server permits, until `bytes` are sent in total or `limit` is over.
  // Restarts requests and connections that the server ends.
  void send(std::size_t bytes, std::chrono::milliseconds limit);

  [[nodiscard]] std::size_t bytes_sent() const;
  // The number of requests and connections that the server has ended.
  [[nodiscard]] std::size_t refusals() const;

 private:
  class Connection;
  HalfSentSpec spec_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace lvmd::rpc
