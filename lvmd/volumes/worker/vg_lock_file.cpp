#include "lvmd/volumes/worker/vg_lock_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lvmd/base/files.hpp"

namespace lvmd::volumes::worker {
Result<UniqueFd> take_vg_lock_file(const std::filesystem::path& directory,
                                   std::string_view volume_group) {
  const std::filesystem::path path = directory / fmt::format("{}.lock", volume_group);
  UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!fd) return fail_errno(errno, path.string());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail_errno(errno, path.string());
    const std::string holder = first_line(path);
    return fail(Code::kFailedPrecondition, "the worker of volume group {} with pid {} holds {}",
                volume_group, holder.empty() ? "unknown" : holder, path.string());
  }
  // For messages only, so an error (/run is full) is ignored.
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd.get(), 0) == 0)
    static_cast<void>(::pwrite(fd.get(), pid.data(), pid.size(), 0) > 0);
  return fd;
}

}  // namespace lvmd::volumes::worker
