// libdevmapper's messages.
#pragma once

namespace lvmd::devmapper {

// From now on they go to lvmd's log: errors and warnings as warnings (who called decides whether
// something failed), the rest as debug. Process-wide, idempotent.
void route_log();

}  // namespace lvmd::devmapper
