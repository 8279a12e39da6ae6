// What went wrong, decided by the place that knows and carried unchanged to the edge.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lvmd {

// The numbers are gRPC's status codes (the wire protocol's codes), so that the RPC edge maps them
// without a table. kOk never appears in an Error.
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

// The code's name as gRPC spells it ("NOT_FOUND").
[[nodiscard]] std::string_view to_string(Code code);

struct Error {
  Code code = Code::kInternal;
  // One sentence that names the field or the object and the value; meant for a person.
  std::string message;
  // Set when undoing a half-done change failed too: what is left behind and what to do about it.
  std::optional<std::string> rollback{};
  // For programs: one of base/reason.hpp. Empty where the code says all [P-CODE-20].
  std::string reason{};
  // What the reason is about: keys of base/reason.hpp, each once.
  std::vector<std::pair<std::string, std::string>> metadata{};

  // Sets the reason.
  [[nodiscard]] Error because(std::string_view why) && {
    reason = why;
    return std::move(*this);
  }
  // Adds to the metadata.
  template <typename Value>
  [[nodiscard]] Error with(std::string_view key, const Value& value) && {
    metadata.emplace_back(key, fmt::format("{}", value));
    return std::move(*this);
  }

  friend bool operator==(const Error&, const Error&) = default;
};

// The reason, or the code's name where none was given. Never empty.
[[nodiscard]] std::string_view reason_of(const Error& error);

// message, followed by the rollback's story when there is one.
[[nodiscard]] std::string describe(const Error& error);

template <typename... Args>
[[nodiscard]] Error make_error(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{.code = code, .message = fmt::format(format, std::forward<Args>(args)...)};
}

// An Error that says "<what>: <text of errno>". Internal unless the errno has a better code
// (ENOENT: kNotFound, EACCES and EPERM: kPermissionDenied).
[[nodiscard]] Error errno_error(int errno_value, std::string_view what);

}  // namespace lvmd
