// Result<T>: a value or the Error that explains its absence.
#pragma once

#include <expected>

#include "lvmd/base/error.hpp"

namespace lvmd {

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

// Shorthand for `return std::unexpected(make_error(...))`.
template <typename... Args>
[[nodiscard]] std::unexpected<Error> fail(Code code, fmt::format_string<Args...> format,
                                          Args&&... args) {
  return std::unexpected(make_error(code, format, std::forward<Args>(args)...));
}

[[nodiscard]] inline std::unexpected<Error> fail_errno(int errno_value, std::string_view what) {
  return std::unexpected(errno_error(errno_value, what));
}

}  // namespace lvmd
