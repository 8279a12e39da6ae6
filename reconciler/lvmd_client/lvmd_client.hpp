// VolumeService, TransferService and VolumeUseService over lvmd's Unix socket. Only this module
// includes gRPC.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/lvmd_client/volume_use_service.hpp"

namespace lvmd::reconciler {

// The time limit of a call. lvmd finishes its work nevertheless [R-FAIL-8].
inline constexpr std::chrono::seconds kCallLimit{120};

// Connects to `socket_path` on the first call, and again after lvmd was unavailable [R-CLI-23]. A
// call without a response within `limit` is DeadlineExceeded.
[[nodiscard]] std::unique_ptr<VolumeService> make_lvmd_client(
    const std::string& socket_path, std::chrono::milliseconds limit = kCallLimit);

// Connects to `socket_path` on the first call, and again after lvmd was unavailable. A call without
// a response within `limit` is DeadlineExceeded.
[[nodiscard]] std::unique_ptr<TransferService> make_transfer_client(
    const std::string& socket_path, std::chrono::milliseconds limit = kCallLimit);

// Connects to `socket_path` on the first call, and again after lvmd was unavailable.
[[nodiscard]] std::unique_ptr<VolumeUseService> make_volume_use_client(
    const std::string& socket_path);

}  // namespace lvmd::reconciler
