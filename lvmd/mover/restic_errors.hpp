// What restic's failures mean [P-XFER-12].
#pragma once

#include <string>
#include <string_view>

#include "internal/transfer.pb.h"

namespace lvmd::mover {

// How a run of restic ended, other than well.
struct ResticFailure {
  // One of `code`.
  std::string_view step;
  // Its exit code; or a signal's number, negated.
  int exit_code = 0;
  // What it wrote to standard error, as texts of parse_error_line(), one a line, scrubbed.
  std::string errors;
  // The repository's location, for the message.
  std::string repository;
  // What it ran, for the message: "backup".
  std::string command;
};

// The error by exit code and, where that says too little, by the texts of restic and of the
// libraries in it. A pure function; a text that isn't known is MoverFailed, with the text.
[[nodiscard]] v1::TransferError explain(const ResticFailure& failure);

}  // namespace lvmd::mover
