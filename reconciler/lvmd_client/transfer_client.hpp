// TransferService over lvmd's Unix socket.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "reconciler/lvmd_client/lvmd_client.hpp"
#include "reconciler/lvmd_client/transfer_service.hpp"

namespace lvmd::reconciler {

// Connects to `socket_path` when first called, and again whenever lvmd went away. A call that isn't
// answered within `limit` is DeadlineExceeded.
[[nodiscard]] std::unique_ptr<TransferService> make_transfer_client(
    const std::string& socket_path, std::chrono::milliseconds limit = kCallLimit);

}  // namespace lvmd::reconciler
