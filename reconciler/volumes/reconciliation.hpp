// Plans and executes for one object until nothing is left to do, or something fails.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/mode.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/volumes/object_tracker.hpp"
#include "reconciler/volumes/online_services.hpp"
#include "reconciler/volumes/plan.hpp"
#include "reconciler/volumes/transfer_calls.hpp"

namespace lvmd::reconciler {

enum class ReconcileResult {
  kSettled,  // nothing left to do until the object changes
  kRetry,    // something failed that may succeed later
  kRefused,  // so did the creation, and only somebody's doing changes that
  kGone,     // the object is no more
  kWaiting,  // a transfer goes on, or is due again later: wait() says when to look
};

class Reconciliation {
 public:
  // Goes on from `progress`. Once `stop` is requested, no further step is begun and no failure is
  // written down.
  Reconciliation(VolumeStore& store, VolumeService& service, ObjectProgress progress,
                 std::stop_token stop, Mode mode = Mode::kAct, OnlineServices online = {});
  Reconciliation(const Reconciliation&) = delete;
  Reconciliation& operator=(const Reconciliation&) = delete;

  // Executes step after step, one log entry each. A failure of lvmd is written into the status,
  // except for a transient one the first time, which may be gone before anybody looks, and except
  // while lvmd is away.
  [[nodiscard]] ReconcileResult run();

  // After kWaiting: when to look again at the latest, and the transfer whose end is worth looking
  // at once.
  [[nodiscard]] std::chrono::milliseconds wait() const { return wait_; }
  [[nodiscard]] const std::optional<TransferName>& awaited() const { return awaited_; }

  // Where the next pass of the object goes on.
  [[nodiscard]] const ObjectProgress& progress() const { return progress_; }

 private:
  Status execute(const Nothing& step);
  Status execute(const AddFinalizer& step);
  Status execute(const FindClasses& step);
  Status execute(const LookUp& step);
  Status execute(const FindSource& step);
  Status execute(const Unmet& step);
  Status execute(const Create& step);
  Status execute(const CreateSnapshot& step);
  Status execute(const Resize& step);
  Status execute(const BeginRemoval& step);
  Status execute(const Remove& step);
  Status execute(const RemoveFinalizer& step);
  Status execute(const ClearOwner& step);
  Status execute(const Abandon& step);
  Status execute(const WriteStatus& step);
  Status execute(const FindSnapshotClass& step);
  Status execute(const FindPersistentVolume& step);
  Status execute(const FindBackupLocation& step);
  Status execute(const TransferUnmet& step);
  Status execute(const StartBackup& step);
  Status execute(const StartRestore& step);
  Status execute(const DeleteBackup& step);
  Status execute(const FollowTransfer& step);
  Status execute(const CancelTransfer& step);
  Status execute(const AwaitTransfer& step);
  Status execute(const AwaitRetry& step);
  Status execute(const RemoveSnapshotVolume& step);

  [[nodiscard]] Status timed(const Step& step);
  [[nodiscard]] std::optional<ReconcileResult> after_store_error(const Error& error);
  [[nodiscard]] ReconcileResult after_failure(const Error& error);
  [[nodiscard]] ReconcileResult after_transfer_failure(const Step& step, const Error& error);
  [[nodiscard]] bool waits(const Step& step);
  [[nodiscard]] ReconcileResult gone();
  [[nodiscard]] Status find_default_class();
  void forget();
  void report(const Error& error, const VolumeStatus& status);
  void remove_created();
  [[nodiscard]] LogicalVolume& object() { return progress_.seen; }
  [[nodiscard]] VolumeName name();
  [[nodiscard]] Status keep(Result<LogicalVolume> written);
  void replace(LogicalVolume newer);

  VolumeStore& store_;
  VolumeService& service_;
  ObjectProgress progress_;
  std::stop_token stop_;
  Mode mode_;
  OnlineServices online_;
  Observed observed_;
  TransferCalls transfer_;
  // The object of spec.source, once it was read.
  std::optional<LogicalVolume> source_;
  std::chrono::milliseconds wait_{0};
  std::optional<TransferName> awaited_;
  bool reread_ = false;
  // This pass made a volume that no status tells of.
  bool created_ = false;
};

}  // namespace lvmd::reconciler
