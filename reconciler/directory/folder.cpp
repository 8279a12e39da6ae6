#include "reconciler/directory/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "reconciler/directory/files.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxFileSize = std::size_t{1} << 20U;  // [R-DOC-2]

bool is_manifest_name(std::string_view name) {
  return !name.starts_with('.') && (name.ends_with(".yaml") || name.ends_with(".yml"));
}

// Sorted, so that messages do not depend on the file system's order.
Result<std::vector<std::string>> list_manifest_files(int folder) {
  // fdopendir takes over its descriptor, and the caller's descriptor is still needed.
  UniqueFd copy{::fcntl(folder, F_DUPFD_CLOEXEC, 0)};
  const UniqueC<DIR, &::closedir> stream{copy ? ::fdopendir(copy.get()) : nullptr};
  if (!stream) return fail_errno(errno, "listing the folder");
  static_cast<void>(copy.release());
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    // No other thread uses this stream, so readdir is safe.
    const dirent* entry = ::readdir(stream.get());  // NOLINT(concurrency-mt-unsafe)
    if (entry == nullptr) break;
    if (is_manifest_name(entry->d_name) && entry->d_type != DT_DIR)
      names.emplace_back(entry->d_name);
  }
  if (errno != 0) return fail_errno(errno, "listing the folder");
  std::ranges::sort(names);
  return names;
}

// A file that was removed between listing and reading does not exist.
bool is_gone(int folder, const std::string& name) {
  struct stat status{};
  return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

void read_manifest_file(int folder, const std::string& name, FolderReading& reading) {
  const auto text = read_file(folder, name, kMaxFileSize);
  if (!text && is_gone(folder, name)) return;
  ++reading.file_count;
  if (!text) {
    reading.problems.push_back({.name = name, .message = text.error().message});
    return;
  }
  auto parsed = parse_manifest_file(name, *text);
  if (!parsed) {
    reading.problems.push_back(std::move(parsed.error()));
    return;
  }
  std::ranges::move(parsed->manifests, std::back_inserter(reading.manifests));
  if (parsed->skipped > 0) reading.skipped_in.push_back(name);
}

// Absent, with errno, on an error of the kernel.
std::optional<FolderIdentity> identify(int folder) {
  struct statx status{};
  if (::statx(folder, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0)
    return std::nullopt;
  FolderIdentity identity{.device = ::makedev(status.stx_dev_major, status.stx_dev_minor),
                          .inode = status.stx_ino};
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  if ((status.stx_mask & STATX_BTIME) != 0 && status.stx_btime.tv_sec > 0)
    identity.born = static_cast<std::uint64_t>(status.stx_btime.tv_sec) * kNanoseconds +
                    status.stx_btime.tv_nsec;
  return identity;
}

UniqueFd open_folder(const std::string& path) {
  return UniqueFd{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

}  // namespace

bool is_same_folder(const FolderIdentity& a, const FolderIdentity& b) {
  if (a.born != 0 && b.born != 0) return a.born == b.born;
  const bool are_anonymous = ::gnu_dev_major(a.device) == 0 && ::gnu_dev_major(b.device) == 0;
  return a.inode == b.inode && (a.device == b.device || are_anonymous);
}

FolderReading read_folder(const std::string& path) {
  FolderReading reading;
  const UniqueFd folder = open_folder(path);
  const auto identity = folder ? identify(folder.get()) : std::nullopt;
  if (!identity) {
    reading.unreadable = errno_error(errno, fmt::format("folder {} cannot be read", path));
    return reading;
  }
  const auto names = list_manifest_files(folder.get());
  if (!names) {
    reading.unreadable =
        make_error(names.error().code, "folder {} cannot be read: {}", path, names.error().message);
    return reading;
  }
  reading.identity = *identity;
  reading.has_marker = ::faccessat(folder.get(), kMarkerFile, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  for (const std::string& name : *names) read_manifest_file(folder.get(), name, reading);
  return reading;
}

Status make_marker(const std::string& path) {
  const UniqueFd folder = open_folder(path);
  if (!folder) return fail_errno(errno, fmt::format("opening folder {}", path));
  const UniqueFd marker{
      ::openat(folder.get(), kMarkerFile, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644)};
  // In a folder that is mounted read-only, the marker can come from whatever fills the folder.
  if (!marker && ::faccessat(folder.get(), kMarkerFile, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
    return fail_errno(errno, fmt::format("creating the marker file {}/{}", path, kMarkerFile));
  if (::fsync(folder.get()) != 0) return fail_errno(errno, fmt::format("syncing folder {}", path));
  return {};
}

}  // namespace lvmd::reconciler::directory
