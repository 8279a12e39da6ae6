// Who starts and ends movers: systemd where it runs, else the supervisor itself.
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

// One thread, the supervisor's loop. Nothing here waits.
class MoverLauncher {
 public:
  using Clock = std::chrono::steady_clock;
  // Called once: from within the call it was given to, or later from within process().
  using Done = std::function<void(Status)>;

  virtual ~MoverLauncher() = default;

  // `job` becomes the mover's standard input. Done when the program runs; Unavailable when that
  // isn't known.
  virtual void start(const MoverUnit& unit, UniqueFd job, Done done) = 0;
  // Done when the mover has been asked to end, or has ended.
  virtual void stop(const TransferKey& key, Done done) = 0;

  // To be polled; process() then, and when due.
  [[nodiscard]] virtual std::optional<pollfd> polled() const = 0;
  [[nodiscard]] virtual std::optional<Clock::time_point> next_due() const = 0;
  virtual void process(Clock::time_point now) = 0;
  // On SIGCHLD.
  virtual void reap() = 0;
};

}  // namespace lvmd::transfers
