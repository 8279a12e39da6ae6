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
constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Failure unusable(const std::string& path, std::string_view why) {
  return fail(Code::kFailedPrecondition, "{} {}: lvmd mounts nothing there", path, why)
      .because(reason::kTargetUnusable)
      .with(key::kTarget, path);
}

Result<UniqueFd> open_part(int parent, const std::string& name, const std::string& path,
                           Missing missing) {
  UniqueFd fd{::openat(parent, name.c_str(), kFlags)};
  if (!fd && errno == ENOENT && missing == Missing::kCreate) {
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

Result<Directory> open_directory(const model::MountPlace& place, Missing missing) {
  auto root = resolved_root(place.root, missing);
  if (!root) return std::unexpected(root.error());
  Directory directory{.parent = {}, .name = {}, .fd = {}, .path = std::move(*root)};
  directory.fd.reset(::open(directory.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.fd) return fail_errno(errno, directory.path);
  for (const std::string& part : place.parts) {
    directory.parent = std::move(directory.fd);
    directory.name = part;
    directory.path += "/" + part;
    auto next = open_part(directory.parent.get(), part, directory.path, missing);
    if (!next) return std::unexpected(next.error());
    directory.fd = std::move(*next);
  }
  return directory;
}

Status check_empty(const Directory& directory, const std::string& target) {
  // Opens a new descriptor, because reading a directory moves the offset of the descriptor.
  UniqueFd fd{::openat(directory.fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, directory.path);
  const std::unique_ptr<DIR, CloseListing> listing{::fdopendir(fd.get())};
  if (!listing) return fail_errno(errno, directory.path);
  static_cast<void>(fd.release());
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(listing.get());
    if (entry == nullptr && errno != 0) return fail_errno(errno, directory.path);
    if (entry == nullptr) return {};
    const std::string_view name{static_cast<const char*>(entry->d_name)};
    if (name == "." || name == "..") continue;
    return fail(
               Code::kFailedPrecondition,
               "target {} is not empty: a mount would hide \"{}\" in it; move its content away, or "
               "mount elsewhere",
               target, name)
        .because(reason::kTargetNotEmpty)
        .with(key::kTarget, target);
  }
}

void remove_if_empty(const Directory& directory) {
  // rmdir fails, as intended, when the directory has entries or is a mount point.
  static_cast<void>(::unlinkat(directory.parent.get(), directory.name.c_str(), AT_REMOVEDIR));
}

}  // namespace lvmd::mounts::mounter
