// Writes the copies of a group's metadata that LVM's commands would write before and after each
// change (lvm.conf(5), section `backup`), after the caller has its response [P-BACKUP-1].
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/volumes/worker/metadata_backup_files.hpp"

namespace lvmd::volumes::worker {

// The files are at most this many changes and this much time late.
inline constexpr std::size_t kMostLateChanges = 20;
inline constexpr std::chrono::seconds kMostLateTime{1};

// One thread.
class MetadataBackups {
 public:
  // The metadata as LVM has committed it; null if it is not known.
  using Text = std::shared_ptr<const std::string>;
  // Prints the host's settings: `lvmconfig --type full backup`. Takes as long as a process.
  using ReadSettings = std::function<Result<std::string>()>;

  // `read_settings`: empty if LVM's commands write the copies themselves. `locking_folder`: that of
  // LVM's locks.
  MetadataBackups(std::string volume_group, ReadSettings read_settings,
                  std::filesystem::path locking_folder = "/run/lock/lvm")
      : volume_group_(std::move(volume_group)),
        read_settings_(std::move(read_settings)),
        locking_folder_(std::move(locking_folder)) {}

  // Call it with the text of a group that has just been read for the first time. Reads the
  // settings, so that the first change does not pay for LVM's copies. Makes the backup due if it is
  // older than the text, because an earlier worker was killed.
  void start(const Text& text);

  // Whether this object writes the copies for the next LVM command, so that the command need not.
  // False if the settings are not known yet or have changed, or if a folder cannot be written to:
  // then LVM decides whether the change is possible.
  [[nodiscard]] bool takes_over(const Text& text);
  // After that command. `before`: the text at the time of takes_over().
  void changed(const Text& before, std::string command_line);

  // The time until work() has something to do; absent: nothing before the next change.
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  // Reads the settings, or writes the files. `read`: reads the group and returns its text. Logs
  // errors; work() is due again later.
  void work(const std::function<Text()>& read);
  // Writes what is still to be written, before the worker ends.
  void finish(const std::function<Text()>& read);

 private:
  using Clock = std::chrono::steady_clock;
  struct Change {
    Text before;
    std::string command_line;
  };

  void take_settings();
  [[nodiscard]] Status write(const Text& now);
  [[nodiscard]] Status write_archives(const Text& now);
  void remove_expired(const ArchiveFolder& folder);
  void postpone(const std::string& why);

  std::string volume_group_;
  ReadSettings read_settings_;
  std::filesystem::path locking_folder_;
  // Empty: not known, or out of date.
  std::optional<MetadataBackupSettings> settings_;
  bool settings_due_ = false;
  // Of the files that have the settings, when they were read.
  std::string files_;
  std::deque<Change> changes_;
  // What the backup is the state after; empty: the backup is current.
  std::string last_command_line_;
  std::size_t waiting_bytes_ = 0;
  Clock::time_point due_;
  // The last error, until the files were written: it is logged once, and LVM writes the copies.
  std::string problem_;
  std::optional<Clock::time_point> expired_removed_;
  bool many_archives_logged_ = false;
};

}  // namespace lvmd::volumes::worker
