// VolumeService over lvmd's Unix socket. The only room that includes gRPC.
#pragma once

#include <memory>
#include <string>

#include "reconciler/lvmd_client/volume_service.hpp"

namespace lvmd::reconciler {

// Connects to `socket_path` when first called, and again whenever lvmd went away [R-CLI-23].
[[nodiscard]] std::unique_ptr<VolumeService> make_lvmd_client(const std::string& socket_path);

}  // namespace lvmd::reconciler
