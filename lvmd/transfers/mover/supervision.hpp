// Ends a transfer on a stop signal, at its deadline, and when it stalls.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/record_writer.hpp"
#include "lvmd/transfers/mover/step_result.hpp"

namespace lvmd::transfers::mover {

// Blocks SIGTERM and SIGINT in the process and reads them from a descriptor. Not thread-safe.
class Supervision {
 public:
  using Clock = RecordWriter::Clock;

  // The deadline is `deadline_seconds` of the job from now; 0 means none. `record` must outlive
  // this object.
  [[nodiscard]] static Result<Supervision> begin(const internal::MoverJob& job,
                                                 RecordWriter& record);

  // The error code of the current step, one of the constants in namespace code.
  void set_code(std::string_view code) { code_ = code; }
  [[nodiscard]] std::string_view code() const { return code_; }

  // Must be called at least once a second. Writes the progress, and returns why the transfer must
  // end, if it must.
  [[nodiscard]] std::optional<TransferFailure> check();
  // Readable when a stop signal arrived.
  [[nodiscard]] int signal_fd() const { return signals_.get(); }
  [[nodiscard]] RecordWriter& record() { return *record_; }

 private:
  Supervision(UniqueFd signals, RecordWriter& record, const internal::MoverJob& job);

  UniqueFd signals_;
  RecordWriter* record_;
  std::string_view code_;
  std::optional<Clock::time_point> deadline_;
  std::uint32_t deadline_seconds_;
  std::chrono::seconds stall_after_;
  bool cancelled_ = false;
};

}  // namespace lvmd::transfers::mover
