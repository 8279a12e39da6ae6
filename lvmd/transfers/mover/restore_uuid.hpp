// The UUID of the file system that a restore makes: how it knows its own after a crash [P-XFER-9].
#pragma once

#include <string>
#include <string_view>

namespace lvmd::transfers::mover {

// The id itself, in small letters, when it is a UUID; else one made of it: version 8 of RFC 9562,
// of the first 16 bytes of SHA-256 of "lvmd.v1.restore:" and the id. The same id has always the
// same one: it is an on-disk format.
[[nodiscard]] std::string uuid_of_restore(std::string_view id);

}  // namespace lvmd::transfers::mover
