#include "reconciler/plan/failure.hpp"

#include <fmt/format.h>

#include <string_view>

namespace lvmd::reconciler {

bool is_transient(Code code) {
  switch (code) {
    case Code::kUnavailable:
    case Code::kAborted:
    case Code::kDeadlineExceeded:
    case Code::kCancelled:
    case Code::kUnknown:
      return true;
    case Code::kOk:
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kAlreadyExists:
    case Code::kPermissionDenied:
    case Code::kResourceExhausted:
    case Code::kFailedPrecondition:
    case Code::kOutOfRange:
    case Code::kUnimplemented:
    case Code::kInternal:
      return false;
  }
  return false;
}

VolumeStatus failed_status(const VolumeStatus& current, const Error& error) {
  VolumeStatus status = current;
  if (is_transient(error.code)) {
    status.message = fmt::format("waiting, will try again: {}: {}",
                                 std::string_view{to_string(error.code)}, describe(error));
    return status;
  }
  status.code = static_cast<std::uint32_t>(error.code);
  status.message = describe(error);
  return status;
}

}  // namespace lvmd::reconciler
