#include "lvmd/lvm/lvm_runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/lvm/lvm_program.hpp"
#include "lvmd/lvm/lvm_session.hpp"

namespace lvmd::lvm {
namespace {

// Written without blanks because lvm2_run splits at them: a lock is waited for by us, with a bound;
// volumes are watched by dmeventd.
constexpr std::string_view kSettings = "global{wait_for_locks=0}activation{monitoring=1}";
constexpr std::string_view kSettingsWithoutUdevSync =
    "global{wait_for_locks=0}activation{monitoring=1}activation{udev_sync=0}";

}  // namespace

std::string LvmOutcome::explanation() const {
  if (errors.empty()) return fmt::format("exit code {} and no message", exit_code);
  return fmt::format("{}", fmt::join(errors, " "));
}

Result<std::unique_ptr<LvmRunner>> open_runner(std::vector<std::string> command_prefix) {
  if (!command_prefix.empty()) return std::make_unique<LvmProgram>(std::move(command_prefix));
  auto session = LvmSession::open();
  if (!session) return std::unexpected(session.error());
  return std::move(*session);
}

LvmCommand with_settings(LvmCommand command) {
  command.option("--config", command.waits_for_udev() ? kSettings : kSettingsWithoutUdevSync);
  return command;
}

void log_warnings(const LvmCommand& command, const LvmOutcome& outcome) {
  for (const std::string& line : outcome.printed)
    if (line.starts_with("WARNING")) log::debug(fmt::format("{}: {}", command.summary(), line));
}

}  // namespace lvmd::lvm
