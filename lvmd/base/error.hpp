// Errors. The function that detects a failure sets code, message and reason; its callers pass the
// Error on unchanged, up to the RPC.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/reason.hpp"

namespace lvmd {

// The numbers are gRPC's status codes, so that no table maps them. An Error never has kOk.
enum class Code : std::uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
};

// The name of the code in gRPC ("NOT_FOUND").
[[nodiscard]] std::string_view to_string(Code code);

struct Error {
  Code code = Code::kInternal;
  // One sentence for a person. It names the field or the object, and the value.
  std::string message;
  // Set if undoing an incomplete change failed too: what remains and how to remove it.
  std::optional<std::string> rollback{};
  // For programs: a reason of base/reason.hpp. Empty: the name of the code is the reason
  // [P-CODE-20].
  std::string reason{};
  // Details for programs: keys of base/reason.hpp, each at most once.
  std::vector<std::pair<std::string, std::string>> metadata{};

  // Replaces the reason.
  [[nodiscard]] Error because(std::string_view why) && {
    reason = why;
    return std::move(*this);
  }
  // Appends one entry to the metadata.
  template <typename Value>
  [[nodiscard]] Error with(std::string_view key, const Value& value) && {
    metadata.emplace_back(key, fmt::format("{}", value));
    return std::move(*this);
  }

  // Appends the name and the value of the request's field that is wrong.
  template <typename Value>
  [[nodiscard]] Error about(std::string_view field, const Value& value) && {
    return std::move(*this).with(key::kField, field).with(key::kValue, value);
  }

  friend bool operator==(const Error&, const Error&) = default;
};

// The reason, or the name of the code if the error has no reason. Never empty.
[[nodiscard]] std::string_view reason_of(const Error& error);

// The message, followed by the rollback's message if undoing failed.
[[nodiscard]] std::string describe(const Error& error);

template <typename... Args>
[[nodiscard]] Error make_error(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{.code = code, .message = fmt::format(format, std::forward<Args>(args)...)};
}

// An Error with the message "<what>: <text of errno>". The code is kNotFound for ENOENT,
// kPermissionDenied for EACCES and EPERM, otherwise kInternal.
[[nodiscard]] Error errno_error(int errno_value, std::string_view what);

}  // namespace lvmd
