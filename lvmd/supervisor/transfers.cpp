#include "lvmd/supervisor/transfers.hpp"

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
#include "lvmd/supervisor/mover_processes.hpp"
#include "lvmd/supervisor/systemd_units.hpp"

namespace lvmd::supervisor {
namespace {

constexpr std::uint32_t kStallSeconds = 600;

Status make_folder(const std::string& path, mode_t mode, gid_t group) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path{path}.parent_path(), error);
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST) return fail_errno(errno, path);
  if (::chown(path.c_str(), 0, group) != 0 || ::chmod(path.c_str(), mode) != 0)
    return fail_errno(errno, path);
  return {};
}

internal::MoverSettings settings(const config::Transfers& limits, const TransferPlaces& places) {
  internal::MoverSettings settings;
  settings.set_restic_path(limits.restic);
  settings.mutable_local_roots()->Assign(limits.local_roots.begin(), limits.local_roots.end());
  settings.set_record_directory(places.records);
  settings.set_cache_directory(places.cache);
  settings.set_stall_seconds(kStallSeconds);
  settings.set_version(std::string{ipc::version()});
  return settings;
}

std::unique_ptr<MoverLauncher> make_launcher(const std::string& records) {
  if (sd_booted() > 0) return std::make_unique<SystemdUnits>();
  log::info("movers are processes of lvmd's own: there is no systemd");
  return std::make_unique<MoverProcesses>(records);
}

}  // namespace

Status make_transfer_places(const TransferPlaces& places, const Account& server) {
  if (auto made = make_folder(places.records, 0750, server.gid); !made) return made;
  if (auto made = make_folder(places.cache, 0700, 0); !made) return made;
  return make_folder(places.default_root, 0700, 0);
}

internal::TransferSetup transfer_setup(const config::Transfers& limits,
                                       const TransferPlaces& places) {
  internal::TransferSetup setup;
  setup.set_record_directory(places.records);
  setup.mutable_local_roots()->Assign(limits.local_roots.begin(), limits.local_roots.end());
  setup.set_max_running(static_cast<std::uint32_t>(limits.max_running));
  return setup;
}

Transfers::Transfers(const config::Transfers& limits, const TransferPlaces& places,
                     std::string mover, Household& household)
    : movers_({.limits = limits,
               .program = std::move(mover),
               .settings = settings(limits, places),
               .volume_groups = [&household] { return household.volume_groups(); }},
              make_launcher(places.records),
              [&household](const internal::TransferReply& reply) {
                internal::ControlFrame frame;
                *frame.mutable_transfer() = reply;
                household.tell_server(frame);
              }),
      restic_(limits.restic, [this, &household](const Result<ResticVersion>& found) {
        internal::Restic restic;
        if (found) {
          movers_.use_restic(*found);
        } else {
          log::info(fmt::format("no transfers: {}", found.error().message));
          restic.set_problem(found.error().message);
        }
        household.set_restic(restic);
      }) {
  household.on_transfer(
      [this](internal::TransferRequest request) { movers_.handle(std::move(request)); });
}

std::optional<pollfd> Transfers::polled() const { return movers_.launcher().polled(); }

std::optional<Clock::time_point> Transfers::next_due() const {
  std::optional<Clock::time_point> next = restic_.next_due();
  if (const auto due = movers_.launcher().next_due(); due && (!next || *due < *next)) next = due;
  return next;
}

void Transfers::process(Clock::time_point now) {
  restic_.process(now);
  movers_.launcher().process(now);
}

void Transfers::reap() {
  restic_.reap();
  movers_.launcher().reap();
}

}  // namespace lvmd::supervisor
