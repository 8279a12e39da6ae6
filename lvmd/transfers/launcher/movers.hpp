// The supervisor's part in transfers: what the server asks for is checked again, recorded, and
// begun as a process of its own. It keeps nothing in memory that a later supervisor would need.
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
  // lvmd-mover.
  std::string program;
  internal::MoverSettings settings;
  // The configured ones, as of now.
  std::function<std::vector<std::string>()> volume_groups;
  std::filesystem::path sysfs{"/sys"};
};

// One thread.
class Movers {
 public:
  using Reply = std::function<void(const internal::TransferReply&)>;

  // Records of movers that died under an earlier supervisor are brought to their end, and old ones
  // go [P-XFER-2].
  Movers(MoversSpec spec, std::unique_ptr<MoverLauncher> launcher, Reply reply);

  // Each request has one reply, at once or when the mover runs. Its credentials have been
  // overwritten when this returns.
  void handle(internal::TransferRequest request);

  // Which restic the movers begun from now on will run.
  void use_restic(const ResticVersion& version);

  [[nodiscard]] MoverLauncher& launcher() const { return *launcher_; }

 private:
  void start(std::uint64_t number, internal::MoverJob& job);
  void cancel(std::uint64_t number, const v1::TransferName& name);
  // Which attempt it would be; an Error when the transfer runs, or is done already [P-XFER-1].
  [[nodiscard]] Result<std::uint32_t> next_attempt(const TransferKey& key, Time now) const;
  // All but those that can't be read.
  [[nodiscard]] std::size_t running(Time now) const;
  void tidy_records(Time now) const;
  void answer(std::uint64_t number, const Status& result) const;

  MoversSpec spec_;
  const std::unique_ptr<MoverLauncher> launcher_;
  const Reply reply_;
  // Whose start hasn't been answered.
  std::set<TransferKey> starting_;
};

}  // namespace lvmd::transfers
