#include "reconciler/directory/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "lvmd/base/unique_fd.hpp"

namespace lvmd::reconciler::directory {
namespace {

Status sync_directory_of(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.parent_path();
  const UniqueFd fd{::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd || ::fsync(fd.get()) != 0)
    return fail_errno(errno, fmt::format("syncing directory {}", parent.native()));
  return {};
}

Status write_all(int fd, std::string_view content, const std::string& name) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno(errno, fmt::format("writing {}", name));
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(fd) != 0) return fail_errno(errno, fmt::format("syncing {}", name));
  return {};
}

}  // namespace

Result<std::string> read_file(int directory, const std::string& name, std::size_t limit) {
  // Without O_NONBLOCK, opening a named pipe waits for its writer.
  const UniqueFd fd{::openat(directory, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("opening {}", name));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, fmt::format("reading {}", name));
  if (!S_ISREG(status.st_mode))
    return fail(Code::kInvalidArgument, "{} is not a regular file", name);
  std::string content;
  std::array<char, 16384> buffer{};
  while (true) {
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): it is a regular file
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(errno, fmt::format("reading {}", name));
    if (count == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (content.size() > limit)
      return fail(Code::kOutOfRange, "{} is larger than {} bytes", name, limit);
  }
}

Status replace_file(const std::filesystem::path& path, std::string_view content) {
  // Only names that end in ".yaml" are read, so a file that a crash left is harmless.
  const std::string aside = path.native() + ".new";
  const UniqueFd fd{
      ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644)};
  if (!fd) return fail_errno(errno, fmt::format("creating {}", aside));
  // Independent of the umask.
  if (::fchmod(fd.get(), 0644) != 0) return fail_errno(errno, fmt::format("creating {}", aside));
  if (auto written = write_all(fd.get(), content, aside); !written) return written;
  if (::rename(aside.c_str(), path.c_str()) != 0)
    return fail_errno(errno, fmt::format("renaming {} to {}", aside, path.native()));
  return sync_directory_of(path);
}

Status remove_file(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return {};
    return fail_errno(errno, fmt::format("removing {}", path.native()));
  }
  return sync_directory_of(path);
}

}  // namespace lvmd::reconciler::directory
