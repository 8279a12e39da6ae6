// Tags that mark the volumes of restores [P-TAG-7]: set before a mover may write, and replaced when
// the restore is complete. Workers set them, because only a volume group's worker may change its
// volumes.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::transfers {

// Thread-safe. Each callback is called exactly once, on the caller's thread or a thread that reads
// a worker's channel.
class RestoreMarks {
 public:
  using Begun = std::function<void(const Result<internal::RestoreMark>&)>;

  // `backend` must outlive it. Detach `backend` before destroying this object.
  explicit RestoreMarks(volumes::Backend& backend) : backend_(backend) {}

  // Sets the tag of a begun restore on the volume of `job`, if the volume is blank or already has
  // this tag. `done` gets the state of the volume's tags for this restore [P-XFER-21, P-XFER-22],
  // or an Error when another restore has begun on the volume or the worker can't answer.
  void begin(const internal::MoverJob& job, Begun done);

  // Whether the volume of the restore is known to lack the tag of the begun restore, or to be
  // removed.
  [[nodiscard]] bool is_cleared(const v1::Transfer& restore) const;

  // Replaces the tag of the begun restore by that of the completed one. Calls `done` when the
  // worker has answered, also with an error; the first error of a restore is logged.
  void complete(const v1::Transfer& restore, std::function<void()> done);

 private:
  volumes::Backend& backend_;
  std::mutex mutex_;
  // Restores whose tag could not be replaced, which has been logged.
  std::set<std::string> logged_;
};

}  // namespace lvmd::transfers
