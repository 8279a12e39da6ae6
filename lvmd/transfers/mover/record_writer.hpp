// Writes the record of the running transfer.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers::mover {

// Keeps the record in memory and writes it to its file: at most once a second while the transfer
// runs [P-XFER-14], and at once for a change of the step and for the end. Holds the transfer's
// lock. One per process; not thread-safe.
class RecordWriter {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes the transfer's lock and writes a RUNNING record. Keeps the directory open, because the
  // sandbox contains no path to it. FailedPrecondition when another mover holds the lock.
  [[nodiscard]] static Result<RecordWriter> begin(const internal::MoverJob& job);

  // The caller may change it at any time; tick() writes it.
  [[nodiscard]] v1::Transfer& transfer() { return *record_.mutable_transfer(); }

  // Sets the step ("opening", "copying", "verifying") and writes the record. Counts as progress.
  void step(std::string_view name);
  // Resets the counters.
  void reset_progress();
  // Writes a changed record if the last write is old enough. Logs a failed write, because a later
  // one may succeed.
  void tick();
  // When the counters changed or moved() was called last.
  [[nodiscard]] Clock::time_point last_movement() const { return last_movement_; }
  void moved() { last_movement_ = Clock::now(); }

  // Write the final record.
  [[nodiscard]] Status succeed();
  [[nodiscard]] Status end(const TransferFailure& failure);

 private:
  RecordWriter(UniqueFd directory, transfers::RecordLock lock, internal::TransferRecord record);
  [[nodiscard]] std::string directory() const;
  [[nodiscard]] Status write();

  UniqueFd directory_;
  transfers::RecordLock lock_;
  internal::TransferRecord record_;
  std::string written_;
  std::string counters_;
  Clock::time_point last_write_{};
  Clock::time_point last_movement_ = Clock::now();
};

}  // namespace lvmd::transfers::mover
