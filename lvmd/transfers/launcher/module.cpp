#include "lvmd/transfers/launcher/module.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/transfers/launcher/mover_processes.hpp"
#include "lvmd/transfers/launcher/movers.hpp"
#include "lvmd/transfers/launcher/restic_probe.hpp"
#include "lvmd/transfers/launcher/systemd_units.hpp"

namespace lvmd::transfers {
namespace {

using supervisor::Clock;

constexpr std::uint32_t kStallSeconds = 600;
constexpr const char* kCacheDirectory = "/var/cache/lvmd/restic";

// Creates the folder, and sets its mode and group.
Status make_folder(const std::string& path, mode_t mode, gid_t group) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path{path}.parent_path(), error);
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST) return fail_errno(errno, path);
  if (::chown(path.c_str(), 0, group) != 0 || ::chmod(path.c_str(), mode) != 0)
    return fail_errno(errno, path);
  return {};
}

std::string record_directory(const supervisor::ModuleContext& context) {
  return context.runtime_directory + "/transfers";
}

internal::MoverSettings settings(const supervisor::ModuleContext& context) {
  const config::TransferSettings& limits = context.config.transfers;
  internal::MoverSettings settings;
  settings.set_restic_path(limits.restic);
  settings.mutable_local_roots()->Assign(limits.local_roots.begin(), limits.local_roots.end());
  settings.set_record_directory(record_directory(context));
  settings.set_cache_directory(kCacheDirectory);
  settings.set_stall_seconds(kStallSeconds);
  settings.set_version(std::string{ipc::version()});
  // Without systemd there is no unit.
  if (sd_booted() > 0) settings.set_memory_limit_bytes(limits.memory_mib << 20U);
  return settings;
}

std::unique_ptr<MoverLauncher> make_launcher(const std::string& records) {
  if (sd_booted() > 0) return std::make_unique<SystemdUnits>();
  log::info("movers run as child processes of lvmd, because systemd is not running");
  return std::make_unique<MoverProcesses>(records);
}

class SupervisorModule final : public supervisor::Module {
 public:
  SupervisorModule(const supervisor::ModuleContext& context, supervisor::Host& host)
      : host_(host),
        volume_groups_(context.config.volume_groups()),
        movers_({.limits = context.config.transfers,
                 .program = context.program_directory + "/lvmd-mover",
                 .settings = settings(context),
                 .volume_groups = [this] { return volume_groups_; }},
                make_launcher(record_directory(context)),
                [&host](const internal::TransferReply& reply) {
                  internal::ControlFrame frame;
                  *frame.mutable_transfer() = reply;
                  host.send_to_server(frame);
                }),
        restic_(context.config.transfers.restic,
                [this](const Result<ResticVersion>& found) { take_version(found); }) {
    const config::TransferSettings& limits = context.config.transfers;
    setup_.set_record_directory(record_directory(context));
    setup_.mutable_local_roots()->Assign(limits.local_roots.begin(), limits.local_roots.end());
    setup_.set_max_running(static_cast<std::uint32_t>(limits.max_running));
  }

  void reconfigure(const config::Config& config) override {
    volume_groups_ = config.volume_groups();
  }

  void add_setup(internal::ServerSetup& setup) const override {
    *setup.mutable_transfers() = setup_;
  }

  bool handle(internal::ChildEvent& event) override {
    if (!event.has_transfer()) return false;
    movers_.handle(std::move(*event.mutable_transfer()));
    return true;
  }

  std::optional<pollfd> polled() const override { return movers_.launcher().polled(); }

  std::optional<Clock::time_point> next_due() const override {
    std::optional<Clock::time_point> next = restic_.next_due();
    if (const auto due = movers_.launcher().next_due(); due && (!next || *due < *next)) next = due;
    return next;
  }

  void process(Clock::time_point now) override {
    restic_.process(now);
    movers_.launcher().process(now);
  }

  void reap() override {
    restic_.reap();
    movers_.launcher().reap();
  }

 private:
  void take_version(const Result<ResticVersion>& found) {
    internal::Restic restic;
    if (found) {
      movers_.use_restic(*found);
    } else {
      log::info(fmt::format("transfers are disabled: {}", found.error().message));
      restic.set_problem(found.error().message);
    }
    *setup_.mutable_restic() = restic;
    internal::ControlFrame frame;
    *frame.mutable_restic() = restic;
    host_.send_to_server(frame);
  }

  supervisor::Host& host_;
  std::vector<std::string> volume_groups_;
  internal::TransferSetup setup_;
  Movers movers_;
  ResticProbe restic_;
};

}  // namespace

Result<std::unique_ptr<supervisor::Module>> make_supervisor_module(
    const supervisor::ModuleContext& context, supervisor::Host& host) {
  // The server's group may read the records.
  if (auto made = make_folder(record_directory(context), 0750, context.server.gid); !made)
    return std::unexpected(made.error());
  if (auto made = make_folder(kCacheDirectory, 0700, 0); !made)
    return std::unexpected(made.error());
  // The default root of local repositories.
  if (auto made = make_folder(context.state_directory + "/repositories", 0700, 0); !made)
    return std::unexpected(made.error());
  return std::make_unique<SupervisorModule>(context, host);
}

}  // namespace lvmd::transfers
