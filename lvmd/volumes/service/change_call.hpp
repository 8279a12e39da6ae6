// Calls that a worker answers.
#pragma once

#include <string_view>

#include "lvmd/server/host.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/volumes/service/backend.hpp"
#include "lvmd/volumes/service/request_checks.hpp"

namespace lvmd::volumes {

// Its result is the volume; absent after a removal.
using ChangeCall = server::PendingCall<ChangeOutcome::value_type>;

// Sends the change to the worker of its volume group, and answers the call with the result.
// Unavailable when the group was removed from the configuration meanwhile, or lvmd stops. `method`
// is the RPC's name. Thread-safe.
[[nodiscard]] server::UnaryReactor* submit_change(Backend& backend, server::Host& host,
                                                  server::Context& context,
                                                  server::CallRecord record,
                                                  std::string_view method, CheckedChange change,
                                                  ChangeCall::Fill fill);

}  // namespace lvmd::volumes
