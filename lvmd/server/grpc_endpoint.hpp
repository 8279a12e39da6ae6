// One grpc::Server without a port: connections are handed to it.
#pragma once

#include <grpcpp/server.h>

#include <chrono>
#include <initializer_list>
#include <memory>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::server {

// Thread-safe.
class GrpcEndpoint {
 public:
  // Serves `services`, which must outlive it, and reflection for them.
  [[nodiscard]] static Result<std::unique_ptr<GrpcEndpoint>> start(
      std::initializer_list<grpc::Service*> services);

  // `connection` is a non-blocking stream socket.
  void add(UniqueFd connection);

  // Whether a call of health's Check, made as a client makes it but without a socket, is answered
  // within `limit`. Blocks until then.
  [[nodiscard]] bool answers(std::chrono::milliseconds limit);

  // Takes no new call, waits until `deadline` for those that run, and cancels what is left.
  void shut_down(std::chrono::system_clock::time_point deadline);

 private:
  explicit GrpcEndpoint(std::unique_ptr<grpc::Server> server);

  std::unique_ptr<grpc::Server> server_;
};

}  // namespace lvmd::server
