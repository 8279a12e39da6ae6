// The copies of a group's metadata in the host's folders, with LVM's names and format: the backup
// after the last change, and archives of the states before each change (vgcfgbackup(8)).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::volumes::worker {

// The section `backup` of lvm.conf(5).
struct MetadataBackupSettings {
  bool has_backup = false;
  std::filesystem::path backup_folder;
  bool has_archives = false;
  std::filesystem::path archive_folder;
  // An archive is kept for this time, and longer while there are no more archives than this.
  std::chrono::days archive_time{};
  std::size_t fewest_archives = 0;

  friend bool operator==(const MetadataBackupSettings&, const MetadataBackupSettings&) = default;
};

// Parses the output of `lvmconfig --type full backup`. Pure.
[[nodiscard]] Result<MetadataBackupSettings> parse_backup_settings(const std::string& printed);

// The content of a file for the committed text: what vgcfgrestore(8) accepts, with another
// description. Pure.
[[nodiscard]] std::string file_content(std::string_view committed, std::string_view description);

// The seqno of the group in a file or a committed text; 0 if it has none. Pure.
[[nodiscard]] std::uint64_t seqno_of(const std::string& text, std::string_view volume_group);

// Replaces the group's backup. It is on the disk when the function returns. Internal, with the
// path.
[[nodiscard]] Status write_backup(const std::filesystem::path& folder,
                                  std::string_view volume_group, std::string_view content);

// The archives of one group. Reads the folder once, so use a new object after a pause. Not
// thread-safe.
class ArchiveFolder {
 public:
  ArchiveFolder(std::filesystem::path folder, std::string volume_group);

  // Adds an archive after those that existed. Internal, with the path.
  [[nodiscard]] Status add(std::string_view content);

  struct Kept {
    std::size_t archives = 0;
    // Of those that existed.
    std::uintmax_t bytes = 0;
  };
  // Removes what the settings do not keep at the time `now`, the oldest first, as LVM does at each
  // change. Returns what is left.
  Kept remove_expired(const MetadataBackupSettings& settings,
                      std::filesystem::file_time_type now) const;

 private:
  struct Archive {
    std::filesystem::path path;
    std::uint32_t number = 0;
  };
  std::filesystem::path folder_;
  std::string volume_group_;
  // The oldest first, without those that were added.
  std::vector<Archive> existing_;
  std::size_t added_ = 0;
};

}  // namespace lvmd::volumes::worker
