// The lock of a transfer. Its mover holds it for as long as the mover runs. When a transfer has not
// ended and its lock is free, its mover has died or not started yet.
//
// The lock is an open file description lock (F_OFD_SETLK) on the lock file, which is open for
// writing: when the mover ends, inotify reports IN_CLOSE_WRITE with the lock's name. is_locked()
// only queries the lock, so a reader never keeps a mover from taking it.
#pragma once

#include <filesystem>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {

// Holds the lock until it is destroyed.
class RecordLock {
 public:
  // Takes the lock without waiting and creates the lock file. FailedPrecondition when another
  // process holds it.
  [[nodiscard]] static Result<RecordLock> take(const std::filesystem::path& directory,
                                               const TransferKey& key);

 private:
  explicit RecordLock(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

// Whether a process holds the lock. False when there is no lock file.
[[nodiscard]] Result<bool> is_locked(const std::filesystem::path& directory,
                                     const TransferKey& key);

}  // namespace lvmd::transfers
