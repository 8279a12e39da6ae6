// Explains failures of restic [P-XFER-12].
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

// restic's exit code when the repository does not exist.
inline constexpr int kNoRepository = 10;

// A failed run of restic.
struct ResticFailure {
  // One of the constants in namespace code.
  std::string_view step;
  // The exit code, or the negated number of a signal.
  int exit_code = 0;
  // The standard error: texts of parse_error_line(), one per line, redacted.
  std::string errors{};
  // The location of the repository, for the message.
  std::string repository;
  // The command, for the message: "backup".
  std::string command;
};

// Derives the error from the exit code and, where that is not specific, from known texts of restic
// and its libraries. An unknown text becomes MoverFailed and is part of the message. A pure
// function.
[[nodiscard]] v1::TransferError explain(const ResticFailure& failure);

// Explains a stalled run. Returns RepositoryUnreachable when its output shows that, otherwise
// `stalled` with the last line of the output in its message. A pure function.
[[nodiscard]] v1::TransferError explain_stall(v1::TransferError stalled,
                                              const ResticFailure& failure);

// Whether a running restic will not succeed by retrying. `error` is the explanation of `line`.
// restic retries nearly everything for 15 minutes; this returns true when the cause is permanent,
// or when the repository could not be opened for a minute [P-XFER-14].
[[nodiscard]] bool is_hopeless(const v1::TransferError& error, std::string_view line,
                               std::chrono::steady_clock::duration tried);

// The same for a run after the repository was opened: true when the store rejected a request
// because it is full. restic may retry for 15 minutes, or not end after that [P-XFER-14].
[[nodiscard]] bool is_out_of_space(const v1::TransferError& error, std::string_view line);

}  // namespace lvmd::transfers::mover
