// The lock of a transfer: held by its mover for as long as it lives. A record that hasn't ended and
// isn't locked is one whose mover died, or hasn't begun.
//
// An open file description's lock (F_OFD_SETLK) of the lock file, which is open for writing: the
// mover's death raises IN_CLOSE_WRITE of the lock's name. Looking takes nothing, so no reader can
// keep a mover out.
#pragma once

#include <filesystem>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {

class RecordLock {
 public:
  // FailedPrecondition when another process holds it. Makes the file.
  [[nodiscard]] static Result<RecordLock> take(const std::filesystem::path& directory,
                                               const TransferKey& key);

 private:
  explicit RecordLock(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

// Whether a process holds it. False when there is no lock file.
[[nodiscard]] Result<bool> is_locked(const std::filesystem::path& directory,
                                     const TransferKey& key);

}  // namespace lvmd::transfers
