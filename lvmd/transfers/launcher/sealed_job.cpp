#include "lvmd/transfers/launcher/sealed_job.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lvmd/ipc/wipe.hpp"

namespace lvmd::transfers {
namespace {

Status write_whole(int fd, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno(errno, "write a mover's job");
    done += static_cast<std::size_t>(written);
  }
  return {};
}

}  // namespace

Result<UniqueFd> seal_job(const internal::MoverJob& job) {
  UniqueFd fd{::memfd_create("lvmd-mover-job", MFD_ALLOW_SEALING | MFD_CLOEXEC)};
  if (!fd) return fail_errno(errno, "memfd_create");
  std::string bytes = job.SerializeAsString();
  const Status written = write_whole(fd.get(), bytes);
  ipc::wipe(bytes);
  if (!written) return std::unexpected(written.error());
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return fail_errno(errno, "lseek");
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno(errno, "seal a mover's job");
  return fd;
}

}  // namespace lvmd::transfers
