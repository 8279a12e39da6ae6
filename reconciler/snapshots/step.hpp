// What can be done next for an object's backup or restore, or for the deletion of its backup.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include "lvmd/base/error.hpp"
#include "reconciler/model/transfer.hpp"
#include "reconciler/snapshots/snapshot_report.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// Reads the snapshot class of the object, or of its source [R-ONLINE-1].
struct FindSnapshotClass {
  static constexpr StepTraits kTraits = transfer_step("find snapshot class").read_only();
  bool of_source = false;
  friend bool operator==(const FindSnapshotClass&, const FindSnapshotClass&) = default;
};

// Reads the PersistentVolume of that name.
struct FindPersistentVolume {
  static constexpr StepTraits kTraits = transfer_step("find persistent volume").read_only();
  std::string name;
  friend bool operator==(const FindPersistentVolume&, const FindPersistentVolume&) = default;
};

// Reads the backup location, to check that it can be used.
struct FindBackupLocation {
  static constexpr StepTraits kTraits = transfer_step("find backup location").read_only();
  LocationName storage;
  friend bool operator==(const FindBackupLocation&, const FindBackupLocation&) = default;
};

// A precondition of the transfer is not met. It is reported and retried, and does not concern the
// volume.
struct TransferUnmet {
  static constexpr StepTraits kTraits = transfer_step("check transfer").read_only();
  Error error;
  friend bool operator==(const TransferUnmet&, const TransferUnmet&) = default;
};

// The three Start calls take all arguments from status.snapshot.
struct StartBackup : NoArguments {
  static constexpr StepTraits kTraits = transfer_step("start backup");
};

struct StartRestore : NoArguments {
  static constexpr StepTraits kTraits = transfer_step("start restore");
};

struct DeleteBackup : NoArguments {
  static constexpr StepTraits kTraits = transfer_step("delete backup");
};

// Reads the transfer's progress from lvmd.
struct FollowTransfer {
  static constexpr StepTraits kTraits = transfer_step("follow transfer").read_only().periodic();
  Operation operation = Operation::kBackup;
  friend bool operator==(const FollowTransfer&, const FollowTransfer&) = default;
};

struct CancelTransfer {
  static constexpr StepTraits kTraits = transfer_step("cancel transfer");
  Operation operation = Operation::kBackup;
  friend bool operator==(const CancelTransfer&, const CancelTransfer&) = default;
};

// The transfer runs. There is nothing to do until its state changes.
struct AwaitTransfer {
  static constexpr StepTraits kTraits = store_step("await transfer").read_only();
  Operation operation = Operation::kBackup;
  friend bool operator==(const AwaitTransfer&, const AwaitTransfer&) = default;
};

// There is nothing to do until the next attempt is due.
struct AwaitRetry {
  static constexpr StepTraits kTraits = store_step("await retry").read_only();
  std::uint32_t attempts = 0;
  friend bool operator==(const AwaitRetry&, const AwaitRetry&) = default;
};

// RemoveLV for the volume of a stored snapshot. The object stays [R-ONLINE-5].
struct RemoveSnapshotVolume : NoArguments {
  static constexpr StepTraits kTraits = transfer_step("remove snapshot volume");
};

// Writes what the snapshot controller reports into the status.
struct WriteReport {
  static constexpr StepTraits kTraits = store_step("write status");
  SnapshotReport report;
  friend bool operator==(const WriteReport&, const WriteReport&) = default;
};

using SnapshotStep =
    std::variant<FindSnapshotClass, FindPersistentVolume, FindBackupLocation, TransferUnmet,
                 StartBackup, StartRestore, DeleteBackup, FollowTransfer, CancelTransfer,
                 AwaitTransfer, AwaitRetry, RemoveSnapshotVolume, WriteReport>;

// A step of either controller.
using Step = std::variant<VolumeStep, SnapshotStep>;

// Null when the step is of another kind.
template <typename Kind>
[[nodiscard]] const Kind* get_kind(const Step& step) {
  const auto get = []<typename Other>(const Other& other) -> const Kind* {
    if constexpr (std::is_same_v<Kind, Other>)
      return &other;
    else
      return nullptr;
  };
  return std::visit([&](const auto& own) { return std::visit(get, own); }, step);
}

[[nodiscard]] inline const StepTraits& traits_of(const Step& step) {
  return std::visit([](const auto& own) -> const StepTraits& { return traits_of(own); }, step);
}

}  // namespace lvmd::reconciler
