// What can be done next for an object's volume. One step is one call of lvmd or one write to the
// store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "lvmd/base/error.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {

// What failed when a step fails. It decides where the failure is reported.
enum class FailureDomain : std::uint8_t {
  kStore,     // nowhere but in the log
  kVolume,    // status.code and the conditions Ready and Resized
  kTransfer,  // the condition of the backup or the restore
};

struct StepTraits {
  // As in the log: "create", "write status".
  std::string_view name;
  FailureDomain failure = FailureDomain::kStore;
  // The step changes nothing: a dry run executes it.
  bool is_read_only = false;
  // The step is repeated every few seconds: its success is logged with priority debug.
  bool is_periodic = false;

  [[nodiscard]] constexpr StepTraits read_only() const {
    return {name, failure, true, is_periodic};
  }
  [[nodiscard]] constexpr StepTraits periodic() const {
    return {name, failure, is_read_only, true};
  }
};

constexpr StepTraits store_step(std::string_view name) {
  return {.name = name, .failure = FailureDomain::kStore};
}
constexpr StepTraits volume_step(std::string_view name) {
  return {.name = name, .failure = FailureDomain::kVolume};
}
constexpr StepTraits transfer_step(std::string_view name) {
  return {.name = name, .failure = FailureDomain::kTransfer};
}

// The base of steps without arguments: two steps of one kind are equal.
struct NoArguments {
  friend bool operator==(const NoArguments&, const NoArguments&) = default;
};

// The object needs nothing until it changes.
struct Nothing : NoArguments {
  static constexpr StepTraits kTraits = store_step("nothing").read_only();
};

// The volume needs nothing now. The snapshot controller plans the next step.
struct Yield : NoArguments {
  static constexpr StepTraits kTraits = store_step("nothing").read_only();
};

// Adds finalizer, label and annotations; in the directory store, the record with the volume's name.
struct AddFinalizer {
  static constexpr StepTraits kTraits = store_step("add finalizer");
  // Not empty: stores, too, that the volume is restored from the backup of this id [R-ONLINE-2].
  std::string restore_from{};
  friend bool operator==(const AddFinalizer&, const AddFinalizer&) = default;
};

// GetLVList: is there a volume of the object's name?
struct LookUp : NoArguments {
  static constexpr StepTraits kTraits = volume_step("look up").read_only();
};

// Reads the device classes of spec.vgName, or the default class, from lvmd.
struct FindClasses : NoArguments {
  static constexpr StepTraits kTraits = volume_step("find classes").read_only();
};

// Reads the object that spec.source names.
struct FindSource : NoArguments {
  static constexpr StepTraits kTraits = store_step("find source").read_only();
};

// A precondition of the next step is not met. Handled as a failed call of lvmd: reported and
// retried.
struct Unmet {
  static constexpr StepTraits kTraits = volume_step("check").read_only();
  Error error;
  friend bool operator==(const Unmet&, const Unmet&) = default;
};

struct Create {
  static constexpr StepTraits kTraits = volume_step("create");
  Bytes size;
  // The id of the restore that fills the volume; empty: none [R-ONLINE-3].
  std::string restore{};
  friend bool operator==(const Create&, const Create&) = default;
};

struct CreateSnapshot {
  static constexpr StepTraits kTraits = volume_step("create snapshot");
  // The source's name in LVM.
  std::string source;
  Bytes size;
  friend bool operator==(const CreateSnapshot&, const CreateSnapshot&) = default;
};

struct Resize {
  static constexpr StepTraits kTraits = volume_step("resize");
  Bytes size;
  friend bool operator==(const Resize&, const Resize&) = default;
};

// Makes the decision to remove the volume durable. The removal is then always finished.
struct BeginRemoval : NoArguments {
  static constexpr StepTraits kTraits = store_step("begin removal");
};

struct Remove : NoArguments {
  static constexpr StepTraits kTraits = volume_step("remove");
};

// The opposite of AddFinalizer, after the volume was removed.
struct RemoveFinalizer : NoArguments {
  static constexpr StepTraits kTraits = store_step("remove finalizer");
};

// Removes the owner mark of the volume, so that the volume is never removed as an orphan
// [R-DELETE-5].
struct ClearOwner : NoArguments {
  static constexpr StepTraits kTraits = volume_step("clear owner");
};

// Removes the finalizer and leaves the volume in place.
struct Abandon : NoArguments {
  static constexpr StepTraits kTraits = store_step("abandon");
};

// Writes the part of the status that is about the volume. `status.snapshot` is not written.
struct WriteStatus {
  static constexpr StepTraits kTraits = store_step("write status");
  VolumeStatus status;
  friend bool operator==(const WriteStatus&, const WriteStatus&) = default;
};

using VolumeStep = std::variant<Nothing, Yield, AddFinalizer, LookUp, FindClasses, FindSource,
                                Unmet, Create, CreateSnapshot, Resize, BeginRemoval, Remove,
                                RemoveFinalizer, ClearOwner, Abandon, WriteStatus>;

template <typename... Kinds>
[[nodiscard]] const StepTraits& traits_of(const std::variant<Kinds...>& step) {
  return std::visit([]<typename Kind>(const Kind&) -> const StepTraits& { return Kind::kTraits; },
                    step);
}

}  // namespace lvmd::reconciler
