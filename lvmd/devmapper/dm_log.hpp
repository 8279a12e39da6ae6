// Redirects libdevmapper's messages.
#pragma once

namespace lvmd::devmapper {

// Redirects libdevmapper's errors and warnings to lvmd's log, both as warnings: the caller decides
// whether an operation has failed. Drops all other messages. Applies to the process; idempotent.
void route_log();

}  // namespace lvmd::devmapper
