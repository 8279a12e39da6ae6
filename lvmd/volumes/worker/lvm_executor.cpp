#include "lvmd/volumes/worker/lvm_executor.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/lvm/dbus_daemon.hpp"
#include "lvmd/lvm/run_with_retry.hpp"
#include "lvmd/lvm/udev_wait.hpp"
#include "lvmd/volumes/worker/announcement.hpp"

namespace lvmd::volumes::worker {
namespace {

// The reason why nothing can be written to the file system of `folder`, for example "the file
// system of /etc/lvm/archive is full". nullopt if it is writable or statvfs(2) fails.
std::optional<std::string> why_not_writable(const std::filesystem::path& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return std::nullopt;
  const auto because = [&folder](const char* why) {
    return fmt::format("the file system of {} {}", folder.string(), why);
  };
  if ((status.f_flag & ST_RDONLY) != 0) return because("is read-only");
  if (status.f_blocks != 0 && status.f_bfree == 0) return because("is full");
  if (status.f_files != 0 && status.f_ffree == 0) return because("has no free inode");
  return std::nullopt;
}

// The default of lvm.conf's archive_dir. An LVM command changes nothing if it cannot write a copy
// of the metadata there. Without a copy in /etc/lvm/backup it continues.
constexpr const char* kLvmArchive = "/etc/lvm/archive";

}  // namespace

lvm::LvmCommand LvmExecutor::restricted(lvm::LvmCommand command) const {
  if (const auto& access = group_.access()) command.only_devices(access->devices);
  return command;
}

Status LvmExecutor::run(const lvm::LvmCommand& command, const std::function<void()>& before_retry) {
  const auto begin = std::chrono::steady_clock::now();
  scans_.postpone();
  const unsigned waits_ended = lvm::udev_waits_ended();
  const MetadataBackups::Text before = group_.text();
  lvm::LvmCommand complete = restricted(command);
  if (!lvm::has_dbus_daemon()) complete.without_dbus_notification();
  const bool backed_up_here = backups_.takes_over(before);
  if (backed_up_here) complete.without_metadata_backup();
  const auto outcome = [&] {
    const Announcement announcement{events_, command.summary()};
    return lvm::run_with_retry(lvm_, complete, volume_group_, before_retry);
  }();
  scans_.postpone();
  if (backed_up_here) backups_.changed(before, command.line().value_or(command.summary()));
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  if (lvm::udev_waits_ended() != waits_ended)
    log::warning(
        fmt::format("{}: udev has not handled an event within {} s, so LVM continued without it: "
                    "check that systemd-udevd runs",
                    command.summary(), lvm::kUdevLimit.count()),
        {{log::kVg, volume_group_}});
  Status done;
  if (!outcome)
    done = std::unexpected(outcome.error());
  else if (outcome->succeeded())
    done = {};
  else if (const auto why = why_not_writable(kLvmArchive))
    done = fail(Code::kUnavailable, "{} failed: {}: free space there or make it writable ({})",
                command.summary(), *why, outcome->explanation())
               .because(reason::kHostDiskUnusable)
               .with(key::kCommand, command.summary());
  else
    done = fail(Code::kInternal, "{} failed: {}", command.summary(), outcome->explanation())
               .because(reason::kLvmFailed)
               .with(key::kCommand, command.summary());
  log::write(done ? log::Priority::kInfo : log::Priority::kWarning,
             done ? fmt::format("{}: done", command.summary())
                  : fmt::format("{}: {}", command.summary(), done.error().message),
             {{log::kVg, volume_group_}, {log::kDuration, fmt::format("{}", took.count())}});
  return done;
}

bool LvmExecutor::accepts(const lvm::LvmCommand& command) {
  const auto outcome = lvm_.run(restricted(command));
  return outcome && outcome->succeeded();
}

Announcement LvmExecutor::announce(std::string_view step, std::string_view volume,
                                   std::chrono::seconds limit) const {
  return {events_, fmt::format("{} {}", step, path(volume)), limit};
}

std::string LvmExecutor::path(std::string_view volume) const {
  return fmt::format("{}/{}", volume_group_, volume);
}

}  // namespace lvmd::volumes::worker
