// The supervisor's part of transfers: checks the server's requests again, writes a record, and
// starts a mover as a separate process. Keeps no state in memory that a later supervisor would
// need.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/transfer_settings.hpp"
#include "lvmd/transfers/launcher/mover_launcher.hpp"
#include "lvmd/transfers/launcher/restic_version.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

struct MoversSpec {
  config::TransferSettings limits;
  // The path of lvmd-mover.
  std::string program;
  internal::MoverSettings settings;
  // Returns the volume groups that are configured now.
  std::function<std::vector<std::string>()> volume_groups;
  std::filesystem::path sysfs{"/sys"};
};

// One thread.
class Movers {
 public:
  using Reply = std::function<void(const internal::TransferReply&)>;

  // Marks records of movers that died under an earlier supervisor as failed, and removes old ones
  // [P-XFER-2].
  Movers(MoversSpec spec, std::unique_ptr<MoverLauncher> launcher, Reply reply);

  // Each request has one reply, at once or when the mover runs. The credentials in the request have
  // been overwritten when this returns.
  void handle(internal::TransferRequest request);

  // Sets the version of restic for movers that start from now on.
  void use_restic(const ResticVersion& version);

  [[nodiscard]] MoverLauncher& launcher() const { return *launcher_; }

 private:
  void start(std::uint64_t number, internal::MoverJob& job);
  void cancel(std::uint64_t number, const v1::TransferName& name);
  // The number of the next attempt. An Error when the transfer is running, or has succeeded
  // [P-XFER-1].
  [[nodiscard]] Result<std::uint32_t> next_attempt(const TransferKey& key, Time now) const;
  // The number of running transfers; unreadable records don't count.
  [[nodiscard]] std::size_t running(Time now) const;
  void tidy_records(Time now) const;
  void answer(std::uint64_t number, const Status& result) const;

  MoversSpec spec_;
  const std::unique_ptr<MoverLauncher> launcher_;
  const Reply reply_;
  // Transfers whose start has not been answered.
  std::set<TransferKey> starting_;
};

}  // namespace lvmd::transfers
