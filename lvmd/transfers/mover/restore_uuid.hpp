// The UUID of the file system that a restore creates. It identifies the file system after a crash
// [P-XFER-9].
#pragma once

#include <string>
#include <string_view>

namespace lvmd::transfers::mover {

// Returns the id itself in lower case when it is a UUID; otherwise a UUID of version 8 (RFC 9562)
// from the first 16 bytes of the SHA-256 of "lvmd.v1.restore:" and the id. The result for an id
// never changes: this is an on-disk format. A pure function.
[[nodiscard]] std::string uuid_of_restore(std::string_view id);

}  // namespace lvmd::transfers::mover
