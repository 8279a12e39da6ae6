// A LogicalVolume object as the stores read it: the request for a volume, and its status. Fields
// and their meaning: docs/reconciler.md, R-OBJ-*.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/error.hpp"
#include "reconciler/model/condition.hpp"
#include "reconciler/model/csi_status.hpp"
#include "reconciler/model/quantity.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// The API groups that are supported side by side [R-OBJ-1].
enum class Group : std::uint8_t {
  kTopolvm,  // topolvm.io
  kLegacy,   // topolvm.cybozu.com
};

[[nodiscard]] std::string_view to_string(Group group);
[[nodiscard]] std::optional<Group> parse_group(std::string_view text);

inline constexpr std::string_view kVersion = "v1";
inline constexpr std::string_view kKind = "LogicalVolume";

// An object's identity [R-OBJ-2].
struct Key {
  Group group = Group::kTopolvm;
  std::string name{};

  friend auto operator<=>(const Key&, const Key&) = default;
};

// "topolvm.io/name".
[[nodiscard]] std::string to_string(const Key& key);

using StringMap = std::map<std::string, std::string>;

// spec.backup in the directory store: the snapshot is stored in a repository [R-ONLINE-12].
struct BackupSpec {
  std::string repository{};
  // Files with the repository's password and with its credentials; the second may be empty.
  LocationName storage{};
  CopyMode mode = CopyMode::kAuto;
  bool verify = false;

  friend bool operator==(const BackupSpec&, const BackupSpec&) = default;
};

// spec.restoreFrom in the directory store: the volume is filled from a repository [R-ONLINE-12].
struct RestoreSpec {
  std::string repository{};
  LocationName storage{};
  // One of the two: a snapshot in the repository, or the object whose backup is restored.
  std::string snapshot_id{};
  std::string backup{};

  friend bool operator==(const RestoreSpec&, const RestoreSpec&) = default;
};

// The requested volume. The size stays text, so that messages can quote a wrong one.
struct VolumeSpec {
  std::string name{};
  std::string node_name{};
  std::string size{};
  std::string device_class{};
  std::string lvcreate_option_class{};
  std::string source{};
  std::string access_type{};
  // Replaces device_class in older objects [R-OBJ-17].
  std::string vg_name{};
  // Only in the directory store.
  std::optional<BackupSpec> backup{};
  std::optional<RestoreSpec> restore_from{};

  friend bool operator==(const VolumeSpec&, const VolumeSpec&) = default;
};

struct VolumeStatus {
  std::string volume_id{};
  // A number, not a Code: another writer can use codes that are unknown here.
  std::uint32_t code = 0;
  std::string message{};
  std::optional<Bytes> current_size{};
  // The generation of the spec that the status is about; 0: a store without generations.
  std::int64_t observed_generation = 0;
  // Includes conditions of other writers [R-OBJ-25].
  Conditions conditions{};
  // The last backup or restore; absent: there was none [R-ONLINE-7].
  std::optional<SnapshotStatus> snapshot{};
  // Absent: lvmd has no CSI driver, or nothing was reported yet [R-CSI-2].
  std::optional<CsiStatus> csi{};

  friend bool operator==(const VolumeStatus&, const VolumeStatus&) = default;
};

struct LogicalVolume {
  Key key;
  // The volume's name in LVM [R-OBJ-3]. Empty until a directory store has chosen it.
  std::string uid;
  std::string resource_version;
  // The number of changes of the spec; 0 in a store that does not count.
  std::int64_t generation = 0;
  // RFC 3339; empty in a store that does not record it.
  std::string creation_timestamp;
  std::string deletion_timestamp;
  std::vector<std::string> finalizers;
  StringMap labels;
  StringMap annotations;
  VolumeSpec spec;
  VolumeStatus status;

  // What the store derives by its own rules (docs/reconciler.md, section 2): the finalizer, the
  // label and the annotations exist;
  bool has_metadata = false;
  // the finalizer exists, or the record in a directory store;
  bool has_finalizer = false;
  // the volume was created once, independent of the status;
  bool created = false;
  // the volume is to be removed;
  bool removal_wanted = false;
  // the removal is recorded, so that it is always finished;
  bool removal_begun = false;
  // the id of the backup that the volume is restored from: decided once, and kept [R-ONLINE-2];
  std::string restore_from;
  // why the object cannot be reconciled as it is.
  std::optional<Error> defect;

  friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

// "topolvm.io/logicalvolume", with the object's own group [R-OBJ-4].
[[nodiscard]] std::string finalizer_of(Group group);

inline constexpr std::string_view kCreatedByLabel = "app.kubernetes.io/created-by";
inline constexpr std::string_view kCreatedByValue = "topolvm-controller";

inline constexpr std::string_view kAbandonAnnotation = "lvmd.io/abandon";

// In the kube store: contains LogicalVolume::restore_from [R-ONLINE-2].
inline constexpr std::string_view kRestoreFromAnnotation = "lvmd.io/restore-from";
// In the kube store: the class that was found for the volume before it was created; empty: lvmd's
// default class [R-CREATE-8].
inline constexpr std::string_view kDeviceClassAnnotation = "lvmd.io/device-class";
// A new value requests another attempt after a failed transfer [R-ONLINE-6].
inline constexpr std::string_view kRetryAnnotation = "lvmd.io/retry-requested-at";

// Another controller is about to take over the object: the reconciler does not change it [R-OBJ-5].
[[nodiscard]] bool is_pending_deletion(const LogicalVolume& volume);

// An operator abandons the volume: the object can be deleted without it [R-DELETE-5].
[[nodiscard]] bool is_abandoned(const LogicalVolume& volume);

// The value of kRetryAnnotation; empty: no request.
[[nodiscard]] std::string retry_request(const LogicalVolume& volume);

// The volume was created once. It is never created again [R-RUN-4].
[[nodiscard]] bool has_volume(const LogicalVolume& volume);

// The snapshot is stored in a repository. Its volume is not needed any more, is not grown and does
// not count as missing [R-ONLINE-5].
[[nodiscard]] bool is_stored(const LogicalVolume& volume);

// The object is a snapshot, so it can have a snapshot class.
[[nodiscard]] bool may_have_class(const LogicalVolume& object);

// The name of the object whose snapshot or backup this volume begins as. Empty: the volume begins
// blank, or spec.restoreFrom names the snapshot in the repository.
[[nodiscard]] const std::string& source_name(const LogicalVolume& object);

// Everything but status and resourceVersion is equal [R-FAIL-5].
[[nodiscard]] bool same_request(const LogicalVolume& a, const LogicalVolume& b);

}  // namespace lvmd::reconciler
