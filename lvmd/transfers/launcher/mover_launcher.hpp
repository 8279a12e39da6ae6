// Starts and ends movers: by systemd where it runs, otherwise as child processes.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <optional>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/launcher/mover_unit.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {

// One thread, the supervisor's loop. No function blocks.
class MoverLauncher {
 public:
  using Clock = std::chrono::steady_clock;
  // Called once: during start() or stop(), or later during process().
  using Done = std::function<void(Status)>;

  virtual ~MoverLauncher() = default;

  // `job` becomes the mover's standard input. `done` gets OK when the program runs, and Unavailable
  // when that is unknown.
  virtual void start(const MoverUnit& unit, UniqueFd job, Done done) = 0;
  // `done` is called when the mover has received the request to end, or has ended.
  virtual void stop(const TransferKey& key, Done done) = 0;

  // A descriptor to poll. Call process() when it is ready, and when next_due() has passed.
  [[nodiscard]] virtual std::optional<pollfd> polled() const = 0;
  [[nodiscard]] virtual std::optional<Clock::time_point> next_due() const = 0;
  virtual void process(Clock::time_point now) = 0;
  // Reaps ended children. Call it on SIGCHLD.
  virtual void reap() = 0;
};

}  // namespace lvmd::transfers
