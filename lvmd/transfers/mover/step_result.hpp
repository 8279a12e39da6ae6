// The result of a step of a transfer: a value, or the failure that ends the transfer.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

// Why a transfer does not continue: it was cancelled, or it failed.
struct TransferFailure {
  bool cancelled = false;
  // Set unless the transfer was cancelled.
  v1::TransferError error;
};

template <typename T>
using StepResult = std::expected<T, TransferFailure>;

// Values of TransferError.code: the step that failed [P-XFER-12].
namespace code {
inline constexpr std::string_view kVolumeMount = "VolumeMountFailed";
inline constexpr std::string_view kBackup = "SnapshotExecutionFailed";
inline constexpr std::string_view kRestore = "RestoreExecutionFailed";
inline constexpr std::string_view kDelete = "DeleteExecutionFailed";
inline constexpr std::string_view kCheck = "CheckExecutionFailed";
inline constexpr std::string_view kVerification = "VerificationFailed";
}  // namespace code

// Values of TransferError.reason: the cause of the failure.
namespace cause {
inline constexpr std::string_view kUnreachable = "RepositoryUnreachable";
inline constexpr std::string_view kWrongPassword = "WrongPassword";
inline constexpr std::string_view kAccessDenied = "AccessDenied";
inline constexpr std::string_view kRepositoryNotFound = "RepositoryNotFound";
inline constexpr std::string_view kLocked = "RepositoryLocked";
inline constexpr std::string_view kRepositoryFull = "RepositoryFull";
inline constexpr std::string_view kDamaged = "RepositoryDamaged";
inline constexpr std::string_view kSnapshotNotFound = "SnapshotNotFound";
inline constexpr std::string_view kNotBlank = "NotBlank";
inline constexpr std::string_view kNoSpace = "NoSpace";
inline constexpr std::string_view kStalled = "Stalled";
inline constexpr std::string_view kDeadlineExceeded = "DeadlineExceeded";
inline constexpr std::string_view kMoverFailed = "MoverFailed";
}  // namespace cause

[[nodiscard]] inline v1::TransferError transfer_error(std::string_view step,
                                                      std::string_view reason, std::string message,
                                                      bool transient = false) {
  v1::TransferError error;
  error.set_code(std::string{step});
  error.set_reason(std::string{reason});
  error.set_message(std::move(message));
  error.set_transient(transient);
  return error;
}

// Shorthand: `return failed(code::kBackup, cause::kMoverFailed, "…");`
[[nodiscard]] inline std::unexpected<TransferFailure> failed(std::string_view step,
                                                             std::string_view reason,
                                                             std::string message,
                                                             bool transient = false) {
  return std::unexpected(
      TransferFailure{.error = transfer_error(step, reason, std::move(message), transient)});
}

[[nodiscard]] inline std::unexpected<TransferFailure> cancelled() {
  return std::unexpected(TransferFailure{.cancelled = true, .error = {}});
}

}  // namespace lvmd::transfers::mover
