#include "lvmd/volumes/worker/vg_lock_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

namespace lvmd::volumes::worker {
namespace {

std::string holder_of(int fd) {
  std::array<char, 32> text{};
  const ssize_t count = ::pread(fd, text.data(), text.size(), 0);
  std::string pid{text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  while (pid.ends_with('\n')) pid.pop_back();
  return pid.empty() ? "unknown" : pid;
}

}  // namespace

Result<UniqueFd> take_vg_lock_file(const std::filesystem::path& directory,
                                   std::string_view volume_group) {
  const std::filesystem::path path = directory / fmt::format("{}.lock", volume_group);
  UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!fd) return fail_errno(errno, path.string());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return fail(Code::kFailedPrecondition, "the worker of volume group {} with pid {} holds {}",
                  volume_group, holder_of(fd.get()), path.string());
    return fail_errno(errno, path.string());
  }
  // For messages only, so an error (/run is full) is ignored.
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd.get(), 0) == 0)
    static_cast<void>(::pwrite(fd.get(), pid.data(), pid.size(), 0) > 0);
  return fd;
}

}  // namespace lvmd::volumes::worker
