// Asks the host's restic for its version, once, beside the supervisor's loop [P-XFER-17].
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/supervisor/restic_version.hpp"

namespace lvmd::supervisor {

// One thread. The program may print what fits a pipe, and has ten seconds; then it is killed.
class ResticProbe {
 public:
  using Clock = std::chrono::steady_clock;
  // The version; or, in one sentence, why no transfer can be begun.
  using Answer = std::function<void(const Result<ResticVersion>& found)>;

  // `answer` is called once: from here when the program can't be started.
  ResticProbe(std::string program, Answer answer);
  ResticProbe(const ResticProbe&) = delete;
  ResticProbe& operator=(const ResticProbe&) = delete;
  // A program that still runs is killed.
  ~ResticProbe();

  // On SIGCHLD.
  void reap();
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;
  // When due.
  void process(Clock::time_point now);

 private:
  [[nodiscard]] Status begin();
  [[nodiscard]] std::string read_output() const;

  const std::string program_;
  const Answer answer_;
  UniqueFd output_;
  // 0: none runs.
  pid_t pid_ = 0;
  Clock::time_point deadline_{};
  bool killed_ = false;
};

}  // namespace lvmd::supervisor
