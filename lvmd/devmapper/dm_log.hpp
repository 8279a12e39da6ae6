// libdevmapper's messages.
#pragma once

namespace lvmd::devmapper {

// From now on errors and warnings go to lvmd's log, as warnings: who called decides whether
// something failed. The rest, several messages for each call, is dropped. Process-wide, idempotent.
void route_log();

}  // namespace lvmd::devmapper
