// An Error as gRPC carries it: code, message, and google.rpc.ErrorInfo for programs [P-CODE-20].
#pragma once

#include <grpcpp/support/status.h>

#include "lvmd/base/error.hpp"

namespace lvmd::server {

// Bounded, so that message and details fit the 8 KiB of trailing metadata that clients take by
// default: a longer message ends in "…", longer values of the metadata too.
[[nodiscard]] grpc::Status to_status(const Error& error);

}  // namespace lvmd::server
