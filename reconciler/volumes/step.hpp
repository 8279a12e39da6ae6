// What can be done next for one object. One step is one call of lvmd or one write to the store.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

// Makes our hold on the object durable: finalizer and label, or the record with the volume's name.
struct AddFinalizer {
  // Not empty: with it, that the volume is restored from the backup of this id [R-ONLINE-2].
  std::string restore_from{};

  friend bool operator==(const AddFinalizer&, const AddFinalizer&) = default;
};

// GetLVList: is there a volume of the object's name?
struct LookUp {
  friend bool operator==(const LookUp&, const LookUp&) = default;
};

// Asks lvmd for the device classes of spec.vgName, or for its default class.
struct FindClasses {
  friend bool operator==(const FindClasses&, const FindClasses&) = default;
};

// Reads the object that spec.source names.
struct FindSource {
  friend bool operator==(const FindSource&, const FindSource&) = default;
};

// What the next step needs isn't there. As a failed call of lvmd: told, and tried again.
struct Unmet {
  Error error;

  friend bool operator==(const Unmet&, const Unmet&) = default;
};

struct Create {
  Bytes size;

  friend bool operator==(const Create&, const Create&) = default;
};

struct CreateSnapshot {
  // The source's name in LVM.
  std::string source;
  Bytes size;

  friend bool operator==(const CreateSnapshot&, const CreateSnapshot&) = default;
};

struct Resize {
  Bytes size;

  friend bool operator==(const Resize&, const Resize&) = default;
};

// Takes down that the removal will be finished, whatever comes.
struct BeginRemoval {
  friend bool operator==(const BeginRemoval&, const BeginRemoval&) = default;
};

struct Remove {
  friend bool operator==(const Remove&, const Remove&) = default;
};

// The opposite of AddFinalizer: the volume is gone.
struct RemoveFinalizer {
  friend bool operator==(const RemoveFinalizer&, const RemoveFinalizer&) = default;
};

// Takes the owner mark off the volume, so that it isn't removed as an orphan [R-DELETE-5].
struct ClearOwner {
  friend bool operator==(const ClearOwner&, const ClearOwner&) = default;
};

// RemoveFinalizer without the volume being gone: it is left behind.
struct Abandon {
  friend bool operator==(const Abandon&, const Abandon&) = default;
};

struct WriteStatus {
  VolumeStatus status;

  friend bool operator==(const WriteStatus&, const WriteStatus&) = default;
};

// The snapshot class behind the object, or behind its source [R-ONLINE-1].
struct FindSnapshotClass {
  bool of_source = false;

  friend bool operator==(const FindSnapshotClass&, const FindSnapshotClass&) = default;
};

// Reads the PersistentVolume of that name.
struct FindPersistentVolume {
  std::string name;

  friend bool operator==(const FindPersistentVolume&, const FindPersistentVolume&) = default;
};

// Reads the storage, to see that it can be used.
struct FindBackupLocation {
  LocationName storage;

  friend bool operator==(const FindBackupLocation&, const FindBackupLocation&) = default;
};

// What a transfer needs isn't there. Told, and tried again; the volume has nothing to do with it.
struct TransferUnmet {
  Error error;

  friend bool operator==(const TransferUnmet&, const TransferUnmet&) = default;
};

// The Start calls take everything from status.snapshot.
struct StartBackup {
  friend bool operator==(const StartBackup&, const StartBackup&) = default;
};

struct StartRestore {
  friend bool operator==(const StartRestore&, const StartRestore&) = default;
};

struct DeleteBackup {
  friend bool operator==(const DeleteBackup&, const DeleteBackup&) = default;
};

// Asks lvmd how far the transfer is.
struct FollowTransfer {
  Operation operation = Operation::kBackup;

  friend bool operator==(const FollowTransfer&, const FollowTransfer&) = default;
};

struct CancelTransfer {
  Operation operation = Operation::kBackup;

  friend bool operator==(const CancelTransfer&, const CancelTransfer&) = default;
};

// The transfer goes on by itself: nothing to do until it tells something new.
struct AwaitTransfer {
  Operation operation = Operation::kBackup;

  friend bool operator==(const AwaitTransfer&, const AwaitTransfer&) = default;
};

// Nothing to do until the next attempt is due.
struct AwaitRetry {
  std::uint32_t attempts = 0;

  friend bool operator==(const AwaitRetry&, const AwaitRetry&) = default;
};

// RemoveLV of a snapshot that is stored: its object stays [R-ONLINE-5].
struct RemoveSnapshotVolume {
  friend bool operator==(const RemoveSnapshotVolume&, const RemoveSnapshotVolume&) = default;
};

using Step =
    std::variant<Nothing, AddFinalizer, FindClasses, LookUp, FindSource, Unmet, Create,
                 CreateSnapshot, Resize, BeginRemoval, Remove, RemoveFinalizer, ClearOwner, Abandon,
                 WriteStatus, FindSnapshotClass, FindPersistentVolume, FindBackupLocation,
                 TransferUnmet, StartBackup, StartRestore, DeleteBackup, FollowTransfer,
                 CancelTransfer, AwaitTransfer, AwaitRetry, RemoveSnapshotVolume>;

}  // namespace lvmd::reconciler
