// The marks of restores on their volumes [P-TAG-7]: set before a mover may write, and replaced when
// the restore is complete. Volumes belong to their workers, so that a mover can't do either.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::transfers {

// Thread-safe. Callbacks are called exactly once, on the caller's thread or a worker's.
class RestoreMarks {
 public:
  using Begun = std::function<void(const Result<internal::RestoreMark>&)>;

  // `backend` must outlive it, and must call nobody back any more when this goes.
  explicit RestoreMarks(volumes::Backend& backend) : backend_(backend) {}

  // Marks the volume of the job, which is of a restore, as begun, if it is blank or has the mark
  // already. Done with what the volume's marks say of the restore then [P-XFER-21, P-XFER-22]; with
  // an Error when another restore has begun there, or the worker can't say.
  void begin(const internal::MoverJob& job, Begun done);

  // Whether the volume of the restore is known not to have its mark any more, or is gone.
  [[nodiscard]] bool is_cleared(const v1::Transfer& restore) const;

  // Marks the volume as completed. `done` when the worker has answered, whatever it has; what it
  // couldn't do is logged once.
  void complete(const v1::Transfer& restore, std::function<void()> done);

 private:
  volumes::Backend& backend_;
  std::mutex mutex_;
  // Restores whose mark could not be replaced, which has been logged.
  std::set<std::string> logged_;
};

}  // namespace lvmd::transfers
