// One grpc::Server without a port: connections are handed to it.
//
// It has no shutdown: gRPC's own would answer the calls that remain, and those that arrive
// meanwhile, with CANCELLED, which is reserved for calls that the caller cancelled [P-STOP-4]. The
// destructor is for an endpoint without connections. A process whose endpoint has connections ends
// with _Exit() instead.
#pragma once

#include <grpcpp/server.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::server {

// Thread-safe.
class GrpcEndpoint {
 public:
  // Serves `services`, which must outlive the endpoint, and reflection for them. A larger request
  // than `request_bytes` returns ResourceExhausted [P-SOCK-20].
  [[nodiscard]] static Result<std::unique_ptr<GrpcEndpoint>> start(
      const std::vector<grpc::Service*>& services, std::size_t request_bytes);

  // Serves `connection`, a non-blocking stream socket.
  void add(UniqueFd connection);

  // Whether an in-process call of grpc.health.v1.Health.Check is answered within `limit`. Blocks
  // until then.
  [[nodiscard]] bool answers(std::chrono::milliseconds limit);

 private:
  explicit GrpcEndpoint(std::unique_ptr<grpc::Server> server);

  std::unique_ptr<grpc::Server> server_;
  // One for all own calls: gRPC 1.51 does not free all memory of an in-process channel.
  std::shared_ptr<grpc::Channel> own_channel_;
};

}  // namespace lvmd::server
