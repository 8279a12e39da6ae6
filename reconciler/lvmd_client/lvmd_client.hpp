// VolumeService over lvmd's Unix socket. The only room that includes gRPC.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"

namespace lvmd::reconciler {

// How long a call is waited for; lvmd goes on with it [R-FAIL-8].
inline constexpr std::chrono::seconds kCallLimit{120};

// Connects to `socket_path` when first called, and again whenever lvmd went away [R-CLI-23]. A call
// that isn't answered within `limit` is DeadlineExceeded.
[[nodiscard]] std::unique_ptr<VolumeService> make_lvmd_client(
    const std::string& socket_path, std::chrono::milliseconds limit = kCallLimit);

// Connects to `socket_path` when first called, and again whenever lvmd went away. A call that isn't
// answered within `limit` is DeadlineExceeded.
[[nodiscard]] std::unique_ptr<TransferService> make_transfer_client(
    const std::string& socket_path, std::chrono::milliseconds limit = kCallLimit);

}  // namespace lvmd::reconciler
