#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler {

// A random UUID (RFC 9562, version 4), lower case, from the kernel's random numbers.
[[nodiscard]] Result<std::string> random_uuid();

// 8-4-4-4-12 lower case hexadecimal digits. The name of an object's volume is one [R-LEDG-1].
[[nodiscard]] bool is_uuid(std::string_view text);

}  // namespace lvmd::reconciler
