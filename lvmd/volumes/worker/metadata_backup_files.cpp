#include "lvmd/volumes/worker/metadata_backup_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <limits>
#include <random>
#include <system_error>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/metadata/config_tree.hpp"

namespace lvmd::volumes::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kArchiveSuffix = ".vg";
// Names of archives can be taken by an LVM command that runs at the same time.
constexpr int kMaxNames = 10;

// Creates the folder as LVM does.
Status make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return {};
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return fail_errno(errno, folder.string());
}

enum class Durability { kCached, kOnDisk };

// Writes a new file with a temporary name, as LVM does, and returns the name.
Result<fs::path> write_unfinished(const fs::path& folder, std::string_view content,
                                  Durability durability) {
  if (auto made = make_folder(folder); !made) return std::unexpected(made.error());
  std::string path = (folder / ".lvm_lvmd_XXXXXX").string();
  const UniqueFd fd{::mkostemp(path.data(), O_CLOEXEC)};
  if (!fd) return fail_errno(errno, folder.string());
  Status written = write_all(fd.get(), content, path);
  if (written && durability == Durability::kOnDisk && ::fsync(fd.get()) != 0)
    written = fail_errno(errno, path);
  if (written) return fs::path{path};
  static_cast<void>(::unlink(path.c_str()));
  return std::unexpected(written.error());
}

Failure not_renamed(const fs::path& unfinished, const fs::path& path) {
  const int error = errno;
  static_cast<void>(::unlink(unfinished.c_str()));
  return fail_errno(error, path.string());
}

Status sync_folder(const fs::path& folder) {
  const UniqueFd fd{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd || ::fsync(fd.get()) != 0) return fail_errno(errno, folder.string());
  return {};
}

}  // namespace

Result<MetadataBackupSettings> parse_backup_settings(const std::string& printed) {
  const auto tree = metadata::ConfigTree::parse(printed);
  if (!tree) return std::unexpected(tree.error());
  for (const auto& [name, section] : tree->root().sections()) {
    if (name != "backup") continue;
    const auto backup = section.number("backup");
    const auto backup_folder = section.text("backup_dir");
    const auto archive = section.number("archive");
    const auto archive_folder = section.text("archive_dir");
    const auto fewest = section.number("retain_min");
    const auto days = section.number("retain_days", std::numeric_limits<std::int32_t>::max());
    for (const auto* const number : {&backup, &archive, &fewest, &days})
      if (!*number) return std::unexpected(number->error());
    for (const auto* const text : {&backup_folder, &archive_folder})
      if (!*text) return std::unexpected(text->error());
    return MetadataBackupSettings{
        .has_backup = *backup != 0 && !backup_folder->empty(),
        .backup_folder = *backup_folder,
        .has_archives = *archive != 0 && !archive_folder->empty(),
        .archive_folder = *archive_folder,
        .archive_time = std::chrono::days{static_cast<std::int32_t>(*days)},
        .fewest_archives = *fewest};
  }
  return fail(Code::kUnimplemented, "lvmconfig has printed no section \"backup\"");
}

std::string file_content(std::string_view committed, std::string_view description) {
  // After the group. The names and tags of a group contain no line breaks.
  constexpr std::string_view kKey = "\ndescription = \"";
  const std::size_t key = committed.rfind(kKey);
  if (key == std::string_view::npos) return std::string{committed};
  const std::size_t begin = key + kKey.size();
  std::size_t end = begin;
  while (end < committed.size() && committed[end] != '"') end += committed[end] == '\\' ? 2 : 1;
  return fmt::format("# The metadata as LVM has committed it, copied by lvmd.\n\n{}{}{}",
                     committed.substr(0, begin), description,
                     committed.substr(std::min(end, committed.size())));
}

std::uint64_t seqno_of(const std::string& text, std::string_view volume_group) {
  const auto tree = metadata::ConfigTree::parse(text);
  if (!tree) return 0;
  for (const auto& [name, section] : tree->root().sections())
    if (name == volume_group) return section.number_or("seqno", 0).value_or(0);
  return 0;
}

Status write_backup(const fs::path& folder, std::string_view volume_group,
                    std::string_view content) {
  const auto unfinished = write_unfinished(folder, content, Durability::kOnDisk);
  if (!unfinished) return std::unexpected(unfinished.error());
  const fs::path path = folder / volume_group;
  if (::rename(unfinished->c_str(), path.c_str()) != 0) return not_renamed(*unfinished, path);
  return sync_folder(folder);
}

ArchiveFolder::ArchiveFolder(fs::path folder, std::string volume_group)
    : folder_(std::move(folder)), volume_group_(std::move(volume_group)) {
  std::error_code error;
  for (fs::directory_iterator entry{folder_, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error)) {
    // "<vg>_00012-1804289383.vg".
    const std::string name = entry->path().filename().string();
    const std::size_t underscore = name.rfind('_');
    if (!name.ends_with(kArchiveSuffix) || underscore == std::string::npos ||
        std::string_view{name}.substr(0, underscore) != volume_group_)
      continue;
    std::uint32_t number = 0;
    const char* const begin = name.data() + underscore + 1;
    if (std::from_chars(begin, name.data() + name.size(), number).ec != std::errc{}) continue;
    existing_.push_back({.path = entry->path(), .number = number});
  }
  std::ranges::sort(existing_, {}, &Archive::number);
}

Status ArchiveFolder::add(std::string_view content) {
  const auto unfinished = write_unfinished(folder_, content, Durability::kCached);
  if (!unfinished) return std::unexpected(unfinished.error());
  const std::size_t number = (existing_.empty() ? 0 : existing_.back().number + 1) + added_;
  std::random_device random;
  for (int attempt = 0; attempt < kMaxNames; ++attempt) {
    const fs::path path = folder_ / fmt::format("{}_{:05}-{}{}", volume_group_, number,
                                                random() >> 1U, kArchiveSuffix);
    if (::renameat2(AT_FDCWD, unfinished->c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
      ++added_;
      return {};
    }
    if (errno != EEXIST) return not_renamed(*unfinished, path);
  }
  return not_renamed(*unfinished, folder_);
}

ArchiveFolder::Kept ArchiveFolder::remove_expired(const MetadataBackupSettings& settings,
                                                  fs::file_time_type now) const {
  Kept kept{.archives = existing_.size() + added_, .bytes = 0};
  for (const Archive& archive : existing_) {
    std::error_code error;
    const auto size = fs::file_size(archive.path, error);
    if (error) continue;
    const auto written = fs::last_write_time(archive.path, error);
    const bool is_expired = !error && kept.archives > settings.fewest_archives &&
                            written <= now - settings.archive_time;
    if (is_expired && fs::remove(archive.path, error))
      --kept.archives;
    else
      kept.bytes += size;
  }
  return kept;
}

}  // namespace lvmd::volumes::worker
