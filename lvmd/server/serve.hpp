// The server's life, from the first control frame to the last answer.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/module.hpp"

namespace lvmd::server {

// Serves until the supervisor says stop or goes, and ends the process then: streams end with
// Unavailable first, then what is in flight is answered [P-STOP-2]; nothing ends with Cancelled
// [P-STOP-4]. Returns only when serving could not begin.
[[nodiscard]] Status serve(ipc::Channel& control, MakeModules make_modules);

}  // namespace lvmd::server
