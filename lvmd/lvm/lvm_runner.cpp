#include "lvmd/lvm/lvm_runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/lvm/lvm_program.hpp"
#include "lvmd/lvm/lvm_session.hpp"

namespace lvmd::lvm {
std::string LvmOutcome::explanation() const {
  if (errors.empty()) return fmt::format("exit code {} and no message", exit_code);
  return fmt::format("{}", fmt::join(errors, " "));
}

Result<std::unique_ptr<LvmRunner>> open_runner(std::vector<std::string> command_prefix,
                                               const std::filesystem::path& system_directory) {
  if (!command_prefix.empty()) return std::make_unique<LvmProgram>(std::move(command_prefix));
  const char* const host = std::getenv(kSystemDirectory);
  auto directory = SystemDirectory::create(system_directory, host != nullptr ? host : "/etc/lvm");
  if (!directory) return std::unexpected(directory.error());
  auto session = LvmSession::open(std::move(*directory));
  if (!session) return std::unexpected(session.error());
  return std::move(*session);
}

LvmCommand with_settings(const LvmCommand& command) {
  return command.with_options().config(command.settings());
}

void log_warnings(const LvmCommand& command, const LvmOutcome& outcome) {
  for (const std::string& line : outcome.printed)
    if (line.starts_with("WARNING")) log::debug(fmt::format("{}: {}", command.summary(), line));
}

}  // namespace lvmd::lvm
