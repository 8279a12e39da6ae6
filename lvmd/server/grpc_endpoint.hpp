// One grpc::Server without a port: connections are handed to it.
//
// It has no shutdown: gRPC's own answers a call that arrives meanwhile, and one that is left, with
// CANCELLED, which is the caller's word alone [P-STOP-4]. The destructor is for an endpoint that
// has no connection yet; whoever has any leaves the process instead.
#pragma once

#include <grpcpp/server.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::server {

// What an endpoint's callers can take, all of them together [P-SOCK-20, P-SOCK-25].
struct EndpointLimits {
  // In gRPC's own log.
  std::string name;
  std::size_t request_bytes = 0;
  // What gRPC may hold of requests that have not arrived whole, and of answers. At the limit it
  // ends calls, one after the other, with RESOURCE_EXHAUSTED; meanwhile it can hold a little more.
  std::size_t buffered_bytes = 0;
};

// Thread-safe.
class GrpcEndpoint {
 public:
  // Serves `services`, which must outlive it, and reflection for them.
  [[nodiscard]] static Result<std::unique_ptr<GrpcEndpoint>> start(
      const std::vector<grpc::Service*>& services, const EndpointLimits& limits);

  // `connection` is a non-blocking stream socket.
  void add(UniqueFd connection);

  // Whether a call of health's Check, made as a client makes it but without a socket, is answered
  // within `limit`. Blocks until then.
  [[nodiscard]] bool answers(std::chrono::milliseconds limit);

 private:
  explicit GrpcEndpoint(std::unique_ptr<grpc::Server> server);

  std::unique_ptr<grpc::Server> server_;
};

}  // namespace lvmd::server
