#include "lvmd/transfers/record/record_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "lvmd/base/files.hpp"

namespace lvmd::transfers {
namespace {

namespace fs = std::filesystem;

struct flock whole_file() {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

Result<RecordLock> RecordLock::take(const fs::path& directory, const TransferKey& key) {
  if (auto valid = check_key(key); !valid) return std::unexpected(valid.error());
  const fs::path path = directory / lock_name(key);
  for (;;) {
    UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640)};
    if (!fd) return fail_errno(errno, path.string());
    struct stat status{};
    if (::stat(directory.c_str(), &status) != 0) return fail_errno(errno, directory.string());
    if (::fchown(fd.get(), static_cast<uid_t>(-1), status.st_gid) != 0 ||
        ::fchmod(fd.get(), 0640) != 0)
      return fail_errno(errno, path.string());
    struct flock lock = whole_file();
    if (::fcntl(fd.get(), F_OFD_SETLK, &lock) != 0) {
      if (errno != EAGAIN && errno != EACCES) return fail_errno(errno, path.string());
      return fail(Code::kFailedPrecondition,
                  "another process runs the {} with id \"{}\" and holds {}",
                  operation_name(key.operation), key.id, path.string());
    }
    // Removing a record also removes its lock file. A lock on a file without a name protects
    // nothing.
    if (is_named(fd.get(), path)) return RecordLock{std::move(fd)};
  }
}

Result<bool> is_locked(const fs::path& directory, const TransferKey& key) {
  if (auto valid = check_key(key); !valid) return std::unexpected(valid.error());
  const fs::path path = directory / lock_name(key);
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!fd && errno == ENOENT) return false;
  if (!fd) return fail_errno(errno, path.string());
  struct flock lock = whole_file();
  if (::fcntl(fd.get(), F_OFD_GETLK, &lock) != 0) return fail_errno(errno, path.string());
  return lock.l_type != F_UNLCK;
}

}  // namespace lvmd::transfers
