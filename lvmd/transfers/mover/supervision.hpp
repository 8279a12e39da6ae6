// What can end a transfer from outside: a request to end, the deadline, and nothing moving.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/record_writer.hpp"

namespace lvmd::transfers::mover {

// Blocks SIGTERM and SIGINT for the process, and reads them from a descriptor.
class Supervision {
 public:
  using Clock = RecordWriter::Clock;

  // `deadline_seconds` from now, 0 for none.
  [[nodiscard]] static Result<Supervision> begin(const internal::MoverJob& job,
                                                 RecordWriter& record);

  // Of what runs now; one of `code`.
  void set_code(std::string_view code) { code_ = code; }
  [[nodiscard]] std::string_view code() const { return code_; }

  // To be called at least once a second: tells of progress, and answers why it is to end.
  [[nodiscard]] std::optional<TransferFailure> check();
  // Readable when somebody asks for the end.
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
