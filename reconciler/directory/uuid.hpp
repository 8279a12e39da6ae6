#pragma once

#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::directory {

// A random UUID (RFC 9562, version 4), lower case, from the kernel's random numbers.
[[nodiscard]] Result<std::string> random_uuid();

// 8-4-4-4-12 lower case hexadecimal digits.
[[nodiscard]] bool is_uuid(std::string_view text);

}  // namespace lvmd::reconciler::directory
