// Result<T>: a value, or the Error that explains why there is none.
#pragma once

#include <expected>
#include <string_view>
#include <utility>

#include "lvmd/base/error.hpp"

namespace lvmd {

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

// Converts to any Result. Reason and metadata can be added:
//   return fail(Code::kNotFound, "…", name).because(reason::kVolumeNotFound).with(key::kLv, name);
class Failure : public std::unexpected<Error> {
 public:
  explicit Failure(Error error) : std::unexpected<Error>(std::move(error)) {}

  // As in Error.
  [[nodiscard]] Failure because(std::string_view why) && {
    return Failure{std::move(error()).because(why)};
  }
  template <typename Value>
  [[nodiscard]] Failure with(std::string_view key, const Value& value) && {
    return Failure{std::move(error()).with(key, value)};
  }
  template <typename Value>
  [[nodiscard]] Failure about(std::string_view field, const Value& value) && {
    return Failure{std::move(error()).about(field, value)};
  }
};

// Shorthand for `return std::unexpected(make_error(...))`.
template <typename... Args>
[[nodiscard]] Failure fail(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return Failure{make_error(code, format, std::forward<Args>(args)...)};
}

[[nodiscard]] inline Failure fail_errno(int errno_value, std::string_view what) {
  return Failure{errno_error(errno_value, what)};
}

}  // namespace lvmd
