// The names of gRPC's types in the handlers of calls.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

namespace lvmd::server {

using Context = grpc::CallbackServerContext;
using UnaryReactor = grpc::ServerUnaryReactor;

}  // namespace lvmd::server
