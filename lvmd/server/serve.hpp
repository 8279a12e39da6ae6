// Runs the server from the first control frame to the last answer.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/module.hpp"

namespace lvmd::server {

// Serves until the supervisor orders a stop or ends; then ends the process. At a stop, streams end
// with Unavailable first, then the calls in flight are answered [P-STOP-2]. No call ends with
// Cancelled [P-STOP-4]. Returns only when serving could not begin.
[[nodiscard]] Status serve(ipc::Channel& control, MakeModules make_modules);

}  // namespace lvmd::server
