// Converts results to gRPC answers: the only place that maps errors and catches exceptions.
#pragma once

#include <exception>
#include <optional>

#include "lvmd/base/result.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/error_details.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::server {

// Finishes a unary call at once with `result` and logs it.
[[nodiscard]] UnaryReactor* answer(Context& context, const CallRecord& record,
                                   const Status& result);

// Returns the reactor that `handle` returns. If `handle` throws, answers Internal.
template <typename Handle>
[[nodiscard]] UnaryReactor* guarded(Context& context, const CallRecord& record,
                                    const Handle& handle) {
  try {
    return handle();
  } catch (const std::exception& exception) {
    return answer(context, record, fail(Code::kInternal, "lvmd failed: {}", exception.what()));
  }
}

}  // namespace lvmd::server
