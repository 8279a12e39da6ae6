// Begins and ends transfers: joins what is asked for twice, and keeps to the limits. What there is,
// the book knows; what has privileges, the supervisor does.
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

// Thread-safe. Callbacks are called exactly once, without a lock held, on the caller's thread or
// the control channel's.
class TransferControl {
 public:
  using Outcome = Result<v1::Transfer>;
  using Callback = std::function<void(const Outcome&)>;

  // `link` and `backend` must outlive it, and must call nobody back any more when this goes.
  TransferControl(const internal::TransferSetup& setup, SupervisorLink& link,
                  volumes::Backend& backend);

  [[nodiscard]] TransferIndex& index() { return index_; }
  [[nodiscard]] const std::vector<std::string>& local_roots() const { return local_roots_; }
  void set_restic(const internal::Restic& restic);

  // The transfer that the request repeats: it runs, or has succeeded [P-XFER-1]. Absent: there is
  // none, or it may be begun anew. AlreadyExists for another request under the same name.
  [[nodiscard]] Result<std::optional<v1::Transfer>> repeated(const internal::MoverJob& job);

  // Done when the mover is on its way, with the transfer as it is then; a restore's volume has been
  // marked before that [P-XFER-21]. An identical request that
  // is being answered is joined.
  void begin(internal::MoverJob job, Callback done);
  // Done with the transfer as it is when its mover has been asked to end.
  void cancel(const TransferKey& key, Callback done);

 private:
  // A start that the supervisor hasn't answered.
  struct Start {
    std::string spec_digest;
    std::vector<Callback> waiters;
  };

  [[nodiscard]] Status check_restic() const;
  // Asks the supervisor. Its credentials have been overwritten when this returns.
  void ask(internal::MoverJob& job);
  // The lock is held by the caller.
  [[nodiscard]] std::size_t running_with_starts() const;
  // What there is now, or the error.
  [[nodiscard]] Outcome outcome_of(const TransferKey& key, const Status& result);
  void started(const TransferKey& key, const Status& result);

  const std::vector<std::string> local_roots_;
  const std::size_t max_running_;
  SupervisorLink& link_;
  RestoreMarks marks_;
  TransferIndex index_;
  mutable std::mutex mutex_;
  std::map<TransferKey, Start> starts_;
  // Why restic can't be used; absent while that is being found out.
  std::optional<std::string> restic_problem_;
};

}  // namespace lvmd::transfers
