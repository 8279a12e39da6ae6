#include "lvmd/mounts/mounter/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "lvmd/base/reason.hpp"

namespace lvmd::mounts::mounter {
namespace {

namespace fs = std::filesystem;

struct CloseListing {
  void operator()(DIR* listing) const { ::closedir(listing); }
};

constexpr mode_t kMode = 0755;
constexpr mode_t kFileMode = 0600;
constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Failure unusable(const std::string& path, std::string_view why) {
  return fail(Code::kFailedPrecondition, "{} {}: lvmd mounts nothing there", path, why)
      .because(reason::kTargetUnusable)
      .with(key::kTarget, path);
}

Result<UniqueFd> open_part(int parent, const std::string& name, const std::string& path,
                           Missing missing) {
  UniqueFd fd{::openat(parent, name.c_str(), kFlags)};
  if (!fd && errno == ENOENT && missing != Missing::kLeave) {
    if (::mkdirat(parent, name.c_str(), kMode) != 0 && errno != EEXIST)
      return unusable(path,
                      fmt::format("cannot be created: {}", std::generic_category().message(errno)));
    fd.reset(::openat(parent, name.c_str(), kFlags));
  }
  if (fd) return fd;
  if (errno != ENOTDIR && errno != ELOOP) return fail_errno(errno, path);
  struct stat status{};
  const bool is_link =
      ::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
  return unusable(path, is_link ? "is a symbolic link" : "is not a directory");
}

}  // namespace

Result<std::string> resolved_root(const std::string& root, Missing missing) {
  std::error_code error;
  if (missing == Missing::kCreate) fs::create_directories(root, error);
  const fs::path path = error ? fs::path{} : fs::canonical(root, error);
  if (!error) return path.string();
  return fail(error == std::errc::no_such_file_or_directory ? Code::kNotFound : Code::kInternal,
              "cannot use mount root {}: {}", root, error.message());
}

Result<Entry> open_parent(const model::MountPlace& place, Missing missing) {
  const Missing missing_parent = missing == Missing::kCreateLast ? Missing::kLeave : missing;
  Entry entry{.parent = {}, .name = {}, .fd = {}, .path = place.root};
  // NotFound would mean for the caller that the volume does not exist.
  const auto not_there = [&](const Error& error) -> Failure {
    if (error.code == Code::kNotFound && missing == Missing::kCreateLast)
      return unusable(entry.path, "does not exist, and only kubelet creates it");
    return Failure{error};
  };
  auto root = resolved_root(place.root, missing_parent);
  if (!root) return not_there(root.error());
  entry.path = std::move(*root);
  entry.parent.reset(::open(entry.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!entry.parent) return fail_errno(errno, entry.path);
  for (const std::string& part : place.parts) {
    if (!entry.name.empty()) {
      auto next = open_part(entry.parent.get(), entry.name, entry.path, missing_parent);
      if (!next) return not_there(next.error());
      entry.parent = std::move(*next);
    }
    entry.name = part;
    entry.path += "/" + part;
  }
  return entry;
}

Result<Entry> open_directory(const model::MountPlace& place, Missing missing) {
  auto directory = open_parent(place, missing);
  if (!directory) return directory;
  auto fd = open_part(directory->parent.get(), directory->name, directory->path, missing);
  if (!fd) return std::unexpected(fd.error());
  directory->fd = std::move(*fd);
  return directory;
}

Result<Entry> open_file(const model::MountPlace& place, Missing missing) {
  constexpr int kOpen = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kCreate = O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  auto file = open_parent(place, missing);
  if (!file) return file;
  const int parent = file->parent.get();
  UniqueFd fd{::openat(parent, file->name.c_str(), kOpen)};
  if (!fd && errno == ENOENT && missing != Missing::kLeave) {
    if (const UniqueFd created{::openat(parent, file->name.c_str(), kCreate, kFileMode)};
        !created && errno != EEXIST)
      return unusable(file->path,
                      fmt::format("cannot be created: {}", std::generic_category().message(errno)));
    fd = UniqueFd{::openat(parent, file->name.c_str(), kOpen)};
  }
  struct stat status{};
  if (!fd || ::fstat(fd.get(), &status) != 0) return fail_errno(errno, file->path);
  file->fd = std::move(fd);
  if (S_ISBLK(status.st_mode)) return file;
  if (!S_ISREG(status.st_mode)) return unusable(file->path, "is not a file");
  if (status.st_size != 0) return unusable(file->path, "is a file that is not empty");
  return file;
}

Result<std::optional<std::string>> any_entry(int directory, const std::string& path,
                                             std::string_view except) {
  // Opens a new descriptor, because reading a directory moves the offset of the descriptor.
  UniqueFd fd{::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, path);
  const std::unique_ptr<DIR, CloseListing> listing{::fdopendir(fd.get())};
  if (!listing) return fail_errno(errno, path);
  static_cast<void>(fd.release());
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(listing.get());
    if (entry == nullptr && errno != 0) return fail_errno(errno, path);
    if (entry == nullptr) return std::nullopt;
    const std::string_view name{static_cast<const char*>(entry->d_name)};
    if (name != "." && name != ".." && name != except) return std::string{name};
  }
}

Status check_empty(const Entry& directory, const std::string& target) {
  const auto entry = any_entry(directory.fd.get(), directory.path);
  if (!entry) return std::unexpected(entry.error());
  if (!*entry) return {};
  return fail(Code::kFailedPrecondition,
              "target {} is not empty: a mount would hide \"{}\" in it; move its content away, or "
              "mount elsewhere",
              target, **entry)
      .because(reason::kTargetNotEmpty)
      .with(key::kTarget, target);
}

void remove_if_empty(const Entry& directory) {
  // rmdir fails, as intended, when the directory has entries or is a mount point.
  static_cast<void>(::unlinkat(directory.parent.get(), directory.name.c_str(), AT_REMOVEDIR));
}

void remove_empty_file(const Entry& file) {
  struct stat status{};
  if (::fstatat(file.parent.get(), file.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISREG(status.st_mode) || status.st_size != 0) return;
  // unlink fails, as intended, when the file is a mount point.
  static_cast<void>(::unlinkat(file.parent.get(), file.name.c_str(), 0));
}

}  // namespace lvmd::mounts::mounter
