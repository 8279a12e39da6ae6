// The record of the transfer that runs: kept in memory, written when there is something to tell.
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

// One, by the process that does the transfer. Writes at most once a second while it runs
// [P-XFER-14], each change of the step and the end at once.
class RecordWriter {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes the transfer's lock and writes that it runs. The folder stays open: the sandbox has no
  // path to it.
  [[nodiscard]] static Result<RecordWriter> begin(const internal::MoverJob& job);

  // To be changed at will; written by tick().
  [[nodiscard]] v1::Transfer& transfer() { return *record_.mutable_transfer(); }

  // "mounting", "scanning", "copying", "verifying". Counts as a movement.
  void step(std::string_view name);
  // Counters start from nothing.
  void reset_progress();
  // Writes what has changed, if it is time. A record that can't be written is logged: the next
  // one may be.
  void tick();
  // When the counters last changed, or something else moved.
  [[nodiscard]] Clock::time_point last_movement() const { return last_movement_; }
  void moved() { last_movement_ = Clock::now(); }

  // The last record.
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
