// Movers without systemd: child processes that continue when lvmd stops.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>

#include "lvmd/transfers/launcher/mover_launcher.hpp"

namespace lvmd::transfers {

// Each mover has its own session, and no limits but those of lvmd's environment. A mover started by
// an earlier supervisor is found by its record.
class MoverProcesses final : public MoverLauncher {
 public:
  // `records` is the folder of the records.
  explicit MoverProcesses(std::filesystem::path records) : records_(std::move(records)) {}

  void start(const MoverUnit& unit, UniqueFd job, Done done) override;
  void stop(const TransferKey& key, Done done) override;
  [[nodiscard]] std::optional<pollfd> polled() const override { return std::nullopt; }
  [[nodiscard]] std::optional<Clock::time_point> next_due() const override { return std::nullopt; }
  void process(Clock::time_point /*now*/) override {}
  void reap() override;

 private:
  [[nodiscard]] Status end(const TransferKey& key) const;

  const std::filesystem::path records_;
  // The pids of children that have not been waited for.
  std::set<pid_t> children_;
};

}  // namespace lvmd::transfers
