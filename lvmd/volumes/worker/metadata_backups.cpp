#include "lvmd/volumes/worker/metadata_backups.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/lvm/vg_lock.hpp"

namespace lvmd::volumes::worker {
namespace {

namespace fs = std::filesystem;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::size_t kMostWaitingBytes = std::size_t{8} << 20U;
constexpr std::chrono::seconds kRetryTime{1};
constexpr std::chrono::hours kExpiryInterval{1};
// LVM prints a line about more archives. Source: lib/format_text/archive.c.
constexpr std::uintmax_t kManyArchiveBytes = std::uintmax_t{128} << 20U;
constexpr std::size_t kManyArchives = 8192;
// The wait for another program's lock before the worker ends.
constexpr std::chrono::seconds kLastLockWait{1};
constexpr std::chrono::milliseconds kLockInterval{20};

// Differs after a change of the files that have LVM's settings.
std::string stamp_of_settings() {
  return stamp_of("/etc/lvm/lvm.conf") + ";" + stamp_of("/etc/lvm/lvmlocal.conf");
}

bool can_write_to(const fs::path& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return false;
  return ::access(folder.c_str(), W_OK | X_OK) == 0 && status.f_bavail != 0 &&
         (status.f_files == 0 || status.f_favail != 0);
}

std::string description(std::string_view when, std::string_view command_line) {
  return fmt::format("Created *{}* executing '{}'", when, command_line);
}

}  // namespace

bool MetadataBackups::takes_over(const Text& text) {
  if (!read_settings_ || !text) return false;
  const bool is_known = settings_ && stamp_of_settings() == files_;
  if (!is_known) {
    settings_due_ = settings_ || stamp_of_settings() != files_;
  } else if (problem_.empty()) {
    const auto& [backup, backups, archives, folder, time, fewest] = *settings_;
    if ((backup || archives) && (!backup || can_write_to(backups)) &&
        (!archives || can_write_to(folder)))
      return true;
  }
  // What LVM writes for the next command must be newer than what waits.
  if (settings_ && !changes_.empty()) static_cast<void>(write(text));
  return false;
}

void MetadataBackups::changed(const Text& before, std::string command_line) {
  if (changes_.empty()) due_ = Clock::now() + kMostLateTime;
  if (changes_.empty() || changes_.back().before != before) waiting_bytes_ += before->size();
  last_command_line_ = command_line;
  changes_.push_back({.before = before, .command_line = std::move(command_line)});
}

void MetadataBackups::start(const Text& text) {
  if (!read_settings_ || !text) return;
  take_settings();
  if (!settings_ || !settings_->has_backup) return;
  const std::ifstream file{settings_->backup_folder / volume_group_};
  if (!file) return;
  std::ostringstream backup;
  backup << file.rdbuf();
  const std::string found = std::move(backup).str();
  const std::uint64_t seqno = seqno_of(found, volume_group_);
  if (seqno == 0 || seqno >= seqno_of(*text, volume_group_)) return;
  last_command_line_ = "a command of an lvmd-worker that was killed";
  due_ = Clock::now();
}

std::optional<std::chrono::milliseconds> MetadataBackups::due() const {
  if (settings_due_) return 0ms;
  if (last_command_line_.empty()) return std::nullopt;
  const bool is_full =
      changes_.size() + 1 >= kMostLateChanges || waiting_bytes_ > kMostWaitingBytes;
  if (is_full && problem_.empty()) return 0ms;
  return std::max(0ms, std::chrono::ceil<std::chrono::milliseconds>(due_ - Clock::now()));
}

void MetadataBackups::work(const std::function<Text()>& read) {
  if (settings_due_) return take_settings();
  if (!settings_) return postpone("LVM's settings are not known");
  // LVM writes the backup while it has the lock. So no newer one is replaced.
  const auto lock = lvm::take_vg_lock(volume_group_, locking_folder_);
  if (!lock || !*lock) {
    due_ = Clock::now() + kRetryTime;
    return;
  }
  const Text now = read();
  if (!now) return postpone("the metadata cannot be read");
  if (const auto written = write(now); !written) postpone(written.error().message);
}

void MetadataBackups::finish(const std::function<Text()>& read) {
  if (!settings_ || last_command_line_.empty()) return;
  const auto end = Clock::now() + kLastLockWait;
  auto lock = lvm::take_vg_lock(volume_group_, locking_folder_);
  while (lock && !*lock && Clock::now() < end) {
    std::this_thread::sleep_for(kLockInterval);
    lock = lvm::take_vg_lock(volume_group_, locking_folder_);
  }
  const Text now = read();
  const Status written = now ? write(now) : fail(Code::kInternal, "the metadata cannot be read");
  if (!written) postpone(written.error().message);
}

void MetadataBackups::take_settings() {
  settings_due_ = false;
  settings_.reset();
  files_ = stamp_of_settings();
  const auto printed = read_settings_();
  auto settings = printed ? parse_backup_settings(*printed) : std::unexpected(printed.error());
  if (settings)
    settings_ = std::move(*settings);
  else
    log::warning(fmt::format("LVM's commands write the copies of the metadata, which is slower: {}",
                             settings.error().message),
                 {{log::kVg, volume_group_}});
}

Status MetadataBackups::write(const Text& now) {
  if (settings_->has_archives)
    if (auto written = write_archives(now); !written) return written;
  changes_.clear();
  waiting_bytes_ = 0;
  if (settings_->has_backup)
    if (auto written = write_backup(settings_->backup_folder, volume_group_,
                                    file_content(*now, description("after", last_command_line_)));
        !written)
      return written;
  last_command_line_.clear();
  if (!std::exchange(problem_, {}).empty())
    log::notice("the copies of the metadata are written again", {{log::kVg, volume_group_}});
  return {};
}

Status MetadataBackups::write_archives(const Text& now) {
  ArchiveFolder folder{settings_->archive_folder, volume_group_};
  while (!changes_.empty()) {
    const Change& change = changes_.front();
    const Text& after = changes_.size() > 1 ? changes_[1].before : now;
    // A command that changed nothing, or the next one of the same change.
    if (*change.before != *after)
      if (auto written =
              folder.add(file_content(*change.before, description("before", change.command_line)));
          !written)
        return written;
    changes_.pop_front();
  }
  if (!expired_removed_ || Clock::now() - *expired_removed_ > kExpiryInterval)
    remove_expired(folder);
  return {};
}

void MetadataBackups::remove_expired(const ArchiveFolder& folder) {
  expired_removed_ = Clock::now();
  const auto kept = folder.remove_expired(*settings_, fs::file_time_type::clock::now());
  const bool are_many = kept.bytes > kManyArchiveBytes || kept.archives > kManyArchives;
  if (!are_many || std::exchange(many_archives_logged_, true)) return;
  log::notice(fmt::format("{} has {} archives of the metadata, {} MiB: to keep fewer, reduce "
                          "backup/retain_days in lvm.conf",
                          settings_->archive_folder.string(), kept.archives, kept.bytes >> 20U),
              {{log::kVg, volume_group_}});
}

void MetadataBackups::postpone(const std::string& why) {
  due_ = Clock::now() + kRetryTime;
  if (std::exchange(problem_, why) == why) return;
  log::warning(fmt::format("the copies of the metadata are out of date: {}. lvmd tries again", why),
               {{log::kVg, volume_group_}});
}

}  // namespace lvmd::volumes::worker
