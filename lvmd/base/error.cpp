#include "lvmd/base/error.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace lvmd {

std::string_view to_string(Code code) {
  // By number.
  constexpr auto kNames = std::to_array<std::string_view>(
      {"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
       "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
       "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE"});
  const auto number = static_cast<std::size_t>(code);
  return number < kNames.size() ? kNames[number] : "UNKNOWN";
}

std::string_view reason_of(const Error& error) {
  return error.reason.empty() ? to_string(error.code) : std::string_view{error.reason};
}

std::string describe(const Error& error) {
  if (!error.rollback) return error.message;
  return fmt::format("{} (undoing it failed too: {})", error.message, *error.rollback);
}

Error errno_error(int errno_value, std::string_view what) {
  Code code = Code::kInternal;
  if (errno_value == ENOENT) code = Code::kNotFound;
  if (errno_value == EACCES || errno_value == EPERM) code = Code::kPermissionDenied;
  return make_error(code, "{}: {}", what, std::generic_category().message(errno_value));
}

}  // namespace lvmd
