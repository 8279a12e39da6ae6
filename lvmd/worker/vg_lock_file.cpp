#include "lvmd/worker/vg_lock_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>

namespace lvmd::worker {

Result<UniqueFd> take_vg_lock_file(const std::filesystem::path& directory,
                                   std::string_view volume_group) {
  const std::filesystem::path path = directory / fmt::format("{}.lock", volume_group);
  UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!fd) return fail_errno(errno, path.string());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return fail(Code::kFailedPrecondition, "another worker of volume group {} holds {}",
                  volume_group, path.string());
    return fail_errno(errno, path.string());
  }
  return fd;
}

}  // namespace lvmd::worker
