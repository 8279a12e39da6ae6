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
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::server {

// What all clients of an endpoint together may use [P-SOCK-20, P-SOCK-25].
struct EndpointLimits {
  // The name of the quota in gRPC's log.
  std::string name;
  std::size_t request_bytes = 0;
  // The memory for incomplete requests and for answers. At the limit gRPC ends calls, one after
  // another, with RESOURCE_EXHAUSTED; meanwhile it can hold a little more.
  std::size_t buffered_bytes = 0;
};

// Thread-safe.
class GrpcEndpoint {
 public:
  // Serves `services`, which must outlive the endpoint, and reflection for them.
  [[nodiscard]] static Result<std::unique_ptr<GrpcEndpoint>> start(
      const std::vector<grpc::Service*>& services, const EndpointLimits& limits);

  // Serves `connection`, a non-blocking stream socket.
  void add(UniqueFd connection);

  // Whether an in-process call of grpc.health.v1.Health.Check is answered within `limit`. Blocks
  // until then.
  [[nodiscard]] bool answers(std::chrono::milliseconds limit);

 private:
  explicit GrpcEndpoint(std::unique_ptr<grpc::Server> server);

  std::unique_ptr<grpc::Server> server_;
};

}  // namespace lvmd::server
