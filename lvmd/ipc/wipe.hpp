// Removes credentials from memory after their last use [P-XFER-5].
#pragma once

#include <string>

#include "lvmd/v1/transfer.pb.h"

namespace lvmd::ipc {

// Overwrites the text with zeros and clears it. Does not affect copies.
void wipe(std::string& text);
void wipe(v1::Credentials& credentials);

}  // namespace lvmd::ipc
