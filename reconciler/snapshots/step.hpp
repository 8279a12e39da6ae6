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
  static constexpr StepTraits kTraits{
      .name = "find snapshot class", .failure = FailureDomain::kTransfer, .is_read_only = true};
  bool of_source = false;
  friend bool operator==(const FindSnapshotClass&, const FindSnapshotClass&) = default;
};

// Reads the PersistentVolume of that name.
struct FindPersistentVolume {
  static constexpr StepTraits kTraits{
      .name = "find persistent volume", .failure = FailureDomain::kTransfer, .is_read_only = true};
  std::string name;
  friend bool operator==(const FindPersistentVolume&, const FindPersistentVolume&) = default;
};

// Reads the backup location, to check that it can be used.
struct FindBackupLocation {
  static constexpr StepTraits kTraits{
      .name = "find backup location", .failure = FailureDomain::kTransfer, .is_read_only = true};
  LocationName storage;
  friend bool operator==(const FindBackupLocation&, const FindBackupLocation&) = default;
};

// A precondition of the transfer is not met. It is reported and retried, and does not concern the
// volume.
struct TransferUnmet {
  static constexpr StepTraits kTraits{
      .name = "check transfer", .failure = FailureDomain::kTransfer, .is_read_only = true};
  Error error;
  friend bool operator==(const TransferUnmet&, const TransferUnmet&) = default;
};

// The three Start calls take all arguments from status.snapshot.
struct StartBackup {
  static constexpr StepTraits kTraits{.name = "start backup", .failure = FailureDomain::kTransfer};
  friend bool operator==(const StartBackup&, const StartBackup&) = default;
};

struct StartRestore {
  static constexpr StepTraits kTraits{.name = "start restore",
                                      .failure = FailureDomain::kTransfer};
  friend bool operator==(const StartRestore&, const StartRestore&) = default;
};

struct DeleteBackup {
  static constexpr StepTraits kTraits{.name = "delete backup",
                                      .failure = FailureDomain::kTransfer};
  friend bool operator==(const DeleteBackup&, const DeleteBackup&) = default;
};

// Reads the transfer's progress from lvmd.
struct FollowTransfer {
  static constexpr StepTraits kTraits{.name = "follow transfer",
                                      .failure = FailureDomain::kTransfer,
                                      .is_read_only = true,
                                      .is_periodic = true};
  Operation operation = Operation::kBackup;
  friend bool operator==(const FollowTransfer&, const FollowTransfer&) = default;
};

struct CancelTransfer {
  static constexpr StepTraits kTraits{.name = "cancel transfer",
                                      .failure = FailureDomain::kTransfer};
  Operation operation = Operation::kBackup;
  friend bool operator==(const CancelTransfer&, const CancelTransfer&) = default;
};

// The transfer runs. There is nothing to do until its state changes.
struct AwaitTransfer {
  static constexpr StepTraits kTraits{.name = "await transfer", .is_read_only = true};
  Operation operation = Operation::kBackup;
  friend bool operator==(const AwaitTransfer&, const AwaitTransfer&) = default;
};

// There is nothing to do until the next attempt is due.
struct AwaitRetry {
  static constexpr StepTraits kTraits{.name = "await retry", .is_read_only = true};
  std::uint32_t attempts = 0;
  friend bool operator==(const AwaitRetry&, const AwaitRetry&) = default;
};

// RemoveLV for the volume of a stored snapshot. The object stays [R-ONLINE-5].
struct RemoveSnapshotVolume {
  static constexpr StepTraits kTraits{.name = "remove snapshot volume",
                                      .failure = FailureDomain::kTransfer};
  friend bool operator==(const RemoveSnapshotVolume&, const RemoveSnapshotVolume&) = default;
};

// Writes what the snapshot controller reports into the status.
struct WriteReport {
  static constexpr StepTraits kTraits{.name = "write status"};
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
