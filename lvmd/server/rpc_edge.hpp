// Converts results to gRPC answers: the only place that maps errors and catches exceptions.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <exception>
#include <optional>

#include "lvmd/base/result.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/error_details.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {

// Finishes a unary call at once with `result` and logs it.
[[nodiscard]] grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext& context,
                                               const CallRecord& record, const Status& result);

// Returns the reactor that `handle` returns. If `handle` throws, answers Internal.
template <typename Handle>
[[nodiscard]] grpc::ServerUnaryReactor* guarded(grpc::CallbackServerContext& context,
                                                const CallRecord& record, const Handle& handle) {
  try {
    return handle();
  } catch (const std::exception& exception) {
    return answer(context, record, fail(Code::kInternal, "lvmd failed: {}", exception.what()));
  }
}

}  // namespace lvmd::server
