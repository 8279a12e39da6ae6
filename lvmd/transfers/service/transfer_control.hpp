// Starts and cancels transfers: joins identical starts, and applies the limits. TransferIndex has
// the known transfers; the supervisor does what needs privileges.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/transfers/service/restore_marks.hpp"
#include "lvmd/transfers/service/supervisor_link.hpp"
#include "lvmd/transfers/service/transfer_index.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::transfers {

// Thread-safe. Each callback is called exactly once, without a lock held, on the caller's thread,
// the control channel's or a worker channel's.
class TransferControl {
 public:
  using TransferResult = Result<v1::Transfer>;
  using Callback = std::function<void(const TransferResult&)>;

  // `link` and `backend` must outlive it, and must not call back any more when it is destroyed.
  TransferControl(const internal::TransferSetup& setup, SupervisorLink& link,
                  volumes::Backend& backend);

  [[nodiscard]] TransferIndex& index() { return index_; }
  [[nodiscard]] const std::vector<std::string>& local_roots() const { return local_roots_; }
  void set_restic(const internal::Restic& restic);

  // The transfer that the request repeats, which is running or has succeeded [P-XFER-1]. Absent
  // when there is none, or it may be started again. AlreadyExists when another request has this
  // name.
  [[nodiscard]] Result<std::optional<v1::Transfer>> repeated(const internal::MoverJob& job);

  // Starts the transfer. `done` gets the transfer when its mover has been started; for a restore,
  // the volume has been tagged before that [P-XFER-21]. Joins an identical request that is in
  // progress.
  void begin(internal::MoverJob job, Callback done);
  // Cancels the transfer. `done` gets the transfer when its mover has received the request to end.
  void cancel(const TransferKey& key, Callback done);

 private:
  // A start that the supervisor has not answered.
  struct Start {
    std::string spec_digest;
    std::vector<Callback> waiters;
  };

  [[nodiscard]] Status check_restic() const;
  // Sends the start to the supervisor. The job's credentials have been overwritten when this
  // returns.
  void send_start(internal::MoverJob& job);
  // Counts running transfers and pending starts. The caller holds the lock.
  [[nodiscard]] std::size_t running_with_starts() const;
  // The current transfer, or the error.
  [[nodiscard]] TransferResult result_of(const TransferKey& key, const Status& result);
  void started(const TransferKey& key, const Status& result);

  const std::vector<std::string> local_roots_;
  const std::size_t max_running_;
  SupervisorLink& link_;
  RestoreMarks marks_;
  TransferIndex index_;
  mutable std::mutex mutex_;
  std::map<TransferKey, Start> starts_;
  // Why restic can't be used; empty: it can. Absent until its version is known.
  std::optional<std::string> restic_problem_;
};

}  // namespace lvmd::transfers
