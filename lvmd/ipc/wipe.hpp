// Credentials leave memory when nobody needs them any more [P-XFER-5].
#pragma once

#include <string>

#include "lvmd/v1/transfer.pb.h"

namespace lvmd::ipc {

// Overwrites the text, then empties it. What was copied elsewhere stays.
void wipe(std::string& text);
void wipe(v1::Credentials& credentials);

}  // namespace lvmd::ipc
