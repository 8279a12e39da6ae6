// What restic's failures mean [P-XFER-12].
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

// restic's exit code when there is no repository.
inline constexpr int kNoRepository = 10;

// How a run of restic ended, other than well.
struct ResticFailure {
  // One of `code`.
  std::string_view step;
  // Its exit code; or a signal's number, negated.
  int exit_code = 0;
  // What it wrote to standard error, as texts of parse_error_line(), one a line, redacted.
  std::string errors;
  // The repository's location, for the message.
  std::string repository;
  // What it ran, for the message: "backup".
  std::string command;
};

// The error by exit code and, where that says too little, by the texts of restic and of the
// libraries in it. A pure function; a text that isn't known is MoverFailed, with the text.
[[nodiscard]] v1::TransferError explain(const ResticFailure& failure);

// What has stalled may have said why: `stalled` with that, or instead of it that the store can't be
// reached.
[[nodiscard]] v1::TransferError explain_stall(v1::TransferError stalled,
                                              const ResticFailure& failure);

// `error` is what `line`, of a run that goes on, was explained as. restic tries nearly everything
// again for 15 minutes; true when that is of no use: the cause doesn't pass by itself, or the
// repository hasn't been opened for a minute [P-XFER-14].
[[nodiscard]] bool is_hopeless(const v1::TransferError& error, std::string_view line,
                               std::chrono::steady_clock::duration tried);

// The same of a run after the opening: true when the store has refused a request because it is
// full. restic may try again for 15 minutes, or not come to its end after that [P-XFER-14].
[[nodiscard]] bool is_out_of_space(const v1::TransferError& error, std::string_view line);

}  // namespace lvmd::transfers::mover
