// All that the supervisor's loop does for transfers, in one place: the movers, and the question
// which restic there is.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/transfers.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/household.hpp"
#include "lvmd/supervisor/movers.hpp"
#include "lvmd/supervisor/restic_probe.hpp"

namespace lvmd::supervisor {

// Folders of transfers, and what server and movers have to know of them.
struct TransferPlaces {
  std::string records;
  std::string cache;
  // A local root that is there without anybody's doing.
  std::string default_root;
};

// Makes the folders: the records' for root and the server's group, the others for root alone.
[[nodiscard]] Status make_transfer_places(const TransferPlaces& places, const Account& server);

[[nodiscard]] internal::TransferSetup transfer_setup(const config::Transfers& limits,
                                                     const TransferPlaces& places);

class Transfers {
 public:
  // `mover` is the program. With systemd, movers are its units. `household` must outlive it.
  Transfers(const config::Transfers& limits, const TransferPlaces& places, std::string mover,
            Household& household);

  [[nodiscard]] std::optional<pollfd> polled() const;
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;
  // Whatever may have happened meanwhile; nothing here waits.
  void process(Clock::time_point now);
  // On SIGCHLD.
  void reap();

 private:
  Movers movers_;
  ResticProbe restic_;
};

}  // namespace lvmd::supervisor
