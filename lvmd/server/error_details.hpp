// An Error as a gRPC status: code, message, and google.rpc.ErrorInfo for programs [P-CODE-20].
#pragma once

#include <grpcpp/support/status.h>

#include "lvmd/base/error.hpp"

namespace lvmd::server {

// The message and the details together fit the 8 KiB of trailing metadata that clients accept by
// default: longer messages and longer values of the metadata are cut and end in "…".
[[nodiscard]] grpc::Status to_status(const Error& error);

}  // namespace lvmd::server
