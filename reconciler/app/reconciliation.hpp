// Plans and executes steps for one object until nothing is left to do, or a step fails.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "reconciler/app/status_writer.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/snapshots/online_services.hpp"
#include "reconciler/snapshots/snapshot_controller.hpp"
#include "reconciler/volumes/object_progress.hpp"
#include "reconciler/volumes/volume_controller.hpp"

namespace lvmd::reconciler {

enum class ReconcileResult {
  kSettled,  // nothing left to do until the object changes
  kRetry,    // a step failed and may succeed later
  kRefused,  // the volume cannot be created until the cause changes
  kGone,     // the object was deleted
  kWaiting,  // a transfer runs, or is due again later: wait() is the time until the next one
};

class Reconciliation {
 public:
  // Continues from `progress`. Without `uses`, the CSI status stays as it is. After a stop was
  // requested, no further step begins and no failure is written.
  Reconciliation(VolumeStore& store, VolumeService& service, ObjectProgress progress,
                 std::stop_token stop, Mode mode = Mode::kAct, OnlineServices online = {},
                 const UseTable* uses = nullptr);
  Reconciliation(const Reconciliation&) = delete;
  Reconciliation& operator=(const Reconciliation&) = delete;
  ~Reconciliation() = default;

  // Executes one step after the other, with one log entry each. A failure of lvmd is written into
  // the status, except a transient failure the first time, which can be over at once, and except
  // while lvmd is unreachable.
  [[nodiscard]] ReconcileResult run();

  // After kWaiting: the longest time until the next look, and the transfer whose end is a reason to
  // look at once.
  [[nodiscard]] std::chrono::milliseconds wait() const { return wait_; }
  [[nodiscard]] const std::optional<TransferName>& awaited() const { return awaited_; }

  // Where the object's next reconciliation continues.
  [[nodiscard]] const ObjectProgress& progress() const { return progress_; }

 private:
  [[nodiscard]] Status execute(const Step& step);
  [[nodiscard]] Status timed(const Step& step);
  // Absent: the step ended well, or the object is planned again at once.
  [[nodiscard]] std::optional<ReconcileResult> after(const Step& step, const Status& result);
  [[nodiscard]] std::optional<ReconcileResult> after_store_error(const Error& error);
  [[nodiscard]] ReconcileResult after_volume_error(const Error& error);
  [[nodiscard]] ReconcileResult after_transfer_error(const Step& step, const Error& error);
  [[nodiscard]] ReconcileResult gone();
  [[nodiscard]] bool waits(const Step& step);
  // Writes the CSI status if it is outdated.
  [[nodiscard]] Status update_csi();
  void reset();
  void report(const Error& error, const Step& write);
  [[nodiscard]] LogicalVolume& object() { return progress_.seen; }

  VolumeStore& store_;
  ObjectProgress progress_;
  std::stop_token stop_;
  Mode mode_;
  OnlineServices online_;
  VolumeController volumes_;
  SnapshotController snapshots_;
  StatusWriter writer_;
  std::chrono::milliseconds wait_{0};
  std::optional<TransferName> awaited_;
  bool reread_ = false;
};

}  // namespace lvmd::reconciler
