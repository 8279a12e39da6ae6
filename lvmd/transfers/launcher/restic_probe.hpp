// Reads the version of the host's restic without blocking the supervisor's loop [P-XFER-17].
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

// One thread. The program has ten seconds, and its output must fit a pipe. A slower program is
// killed and run again half a minute later, because a host that boots can be that slow.
class ResticProbe {
 public:
  using Clock = std::chrono::steady_clock;
  // The version, or an Error that says in one sentence why no transfer can start.
  using Answer = std::function<void(const Result<ResticVersion>& found)>;

  // `answer` is called once for each run of the program; only after a killed program it is run
  // again. It is called from the constructor when the program can't be started.
  ResticProbe(std::string program, Answer answer);
  ResticProbe(const ResticProbe&) = delete;
  ResticProbe& operator=(const ResticProbe&) = delete;
  // Kills a program that still runs.
  ~ResticProbe() = default;

  // Call it on SIGCHLD.
  void reap();
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;
  // Call it when next_due() has passed.
  void process(Clock::time_point now);

 private:
  [[nodiscard]] Status begin();
  [[nodiscard]] std::string read_output() const;

  const std::string program_;
  const Answer answer_;
  // Empty while the program is not running.
  std::optional<Process> process_;
  Clock::time_point deadline_{};
  bool killed_ = false;
  std::optional<Clock::time_point> again_;
};

}  // namespace lvmd::transfers
