// The gRPC server for the sidecars, on a Unix socket.
#pragma once

#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::controller {

// Serves until the result is shut down. Removes a socket that an earlier process left at the path.
// FailedPrecondition when something else is there. The services must outlive the result.
[[nodiscard]] Result<std::unique_ptr<grpc::Server>> serve_sidecars(
    const std::string& socket, const std::vector<grpc::Service*>& services);

}  // namespace lvmd::controller
