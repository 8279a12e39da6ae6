#include "lvmd/transfers/launcher/sealed_job.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lvmd/base/files.hpp"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::transfers {
Result<UniqueFd> seal_job(const internal::MoverJob& job) {
  UniqueFd fd{::memfd_create("lvmd-mover-job", MFD_ALLOW_SEALING | MFD_CLOEXEC)};
  if (!fd) return fail_errno(errno, "memfd_create");
  std::string bytes = job.SerializeAsString();
  const Status written = write_all(fd.get(), bytes, "write a mover's job");
  ipc::wipe(bytes);
  if (!written) return std::unexpected(written.error());
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return fail_errno(errno, "lseek");
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno(errno, "seal a mover's job");
  return fd;
}

}  // namespace lvmd::transfers
