#include "lvmd/base/error.hpp"

#include <cerrno>
#include <system_error>

namespace lvmd {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::kOk:
      return "OK";
    case Code::kCancelled:
      return "CANCELLED";
    case Code::kUnknown:
      return "UNKNOWN";
    case Code::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case Code::kDeadlineExceeded:
      return "DEADLINE_EXCEEDED";
    case Code::kNotFound:
      return "NOT_FOUND";
    case Code::kAlreadyExists:
      return "ALREADY_EXISTS";
    case Code::kPermissionDenied:
      return "PERMISSION_DENIED";
    case Code::kResourceExhausted:
      return "RESOURCE_EXHAUSTED";
    case Code::kFailedPrecondition:
      return "FAILED_PRECONDITION";
    case Code::kAborted:
      return "ABORTED";
    case Code::kOutOfRange:
      return "OUT_OF_RANGE";
    case Code::kUnimplemented:
      return "UNIMPLEMENTED";
    case Code::kInternal:
      return "INTERNAL";
    case Code::kUnavailable:
      return "UNAVAILABLE";
  }
  return "UNKNOWN";
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
