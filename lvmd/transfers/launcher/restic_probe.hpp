// Asks the host's restic for its version, beside the supervisor's loop [P-XFER-17].
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "lvmd/base/process.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/launcher/restic_version.hpp"

namespace lvmd::transfers {

// One thread. The program may print what fits a pipe, and has ten seconds. Then it is killed, and
// asked again half a minute later: a host that boots can be that slow.
class ResticProbe {
 public:
  using Clock = std::chrono::steady_clock;
  // The version; or, in one sentence, why no transfer can be begun.
  using Answer = std::function<void(const Result<ResticVersion>& found)>;

  // `answer` is called after each question; it is the last one unless the program was killed. From
  // here when the program can't be started.
  ResticProbe(std::string program, Answer answer);
  ResticProbe(const ResticProbe&) = delete;
  ResticProbe& operator=(const ResticProbe&) = delete;
  // A program that still runs is killed.
  ~ResticProbe() = default;

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
  // Empty while none runs.
  std::optional<Process> process_;
  Clock::time_point deadline_{};
  bool killed_ = false;
  std::optional<Clock::time_point> again_;
};

}  // namespace lvmd::transfers
