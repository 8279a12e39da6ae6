// Executes the steps of an object's backup or restore.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/snapshots/observed.hpp"
#include "reconciler/snapshots/online_services.hpp"
#include "reconciler/snapshots/step.hpp"
#include "reconciler/volumes/volume_controller.hpp"

namespace lvmd::reconciler {

// The least time between two writes of progress, and between two reads of a running transfer
// [R-ONLINE-7].
inline constexpr std::chrono::seconds kProgressInterval{5};

// For one object and one thread.
class SnapshotController {
 public:
  // All references must outlive the controller. The object is `progress.seen`.
  SnapshotController(const OnlineServices& services, VolumeService& service,
                     ObjectProgress& progress);

  // Calls lvmd's TransferService or the catalog, and keeps the result in observed(). WriteReport
  // does nothing here.
  [[nodiscard]] Status execute(const SnapshotStep& step, const VolumeController& volume);

  [[nodiscard]] const SnapshotObserved& observed() const { return observed_; }

  // For a step that waits: how long. Absent: the step is to be executed now.
  [[nodiscard]] std::optional<std::chrono::milliseconds> wait_of(const Step& step);

  // Forgets what was observed: the object has changed.
  void reset();

  // Notes whether progress may be written again. Call it before each plan.
  void tick();

  // A status with this status.snapshot was written.
  void status_written(const SnapshotStatus& snapshot);

 private:
  template <typename Kind>
  Status run(const Kind& step, const VolumeController& volume);
  static Status run(const AwaitTransfer& /*step*/, const VolumeController& /*volume*/) {
    return {};
  }
  static Status run(const WriteReport& /*step*/, const VolumeController& /*volume*/) { return {}; }

  [[nodiscard]] LogicalVolume& object() { return progress_.seen; }
  [[nodiscard]] Status start(const VolumeController& volume, Operation operation);
  // Keeps the transfer's state. NotFound is a result: lvmd does not know the transfer.
  [[nodiscard]] Status keep_state(Result<Transfer> transfer);
  [[nodiscard]] Status keep(Result<Transfer> transfer);

  const OnlineServices& services_;
  VolumeService& service_;
  ObjectProgress& progress_;
  SnapshotObserved observed_;
};

}  // namespace lvmd::reconciler
