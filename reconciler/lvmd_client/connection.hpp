// The connection to lvmd, and its status as an Error.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>
#include <string_view>

#include "lvmd/base/error.hpp"

namespace lvmd::reconciler {

// Connects on first use, and again soon after lvmd was unavailable.
[[nodiscard]] std::shared_ptr<grpc::Channel> open_channel(const std::string& socket_path);

// lvmd's code, message, reason and metadata. Unavailable with the reason LVMD_UNREACHABLE when the
// connection failed. `status` must not be a success.
[[nodiscard]] Error to_error(const grpc::Status& status, std::string_view socket_path);

}  // namespace lvmd::reconciler
