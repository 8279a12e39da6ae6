// A LogicalVolume object as the stores read it: the wish for one volume, and its status.
// Fields and their meaning: docs/reconciler.md, R-OBJ-*.
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
#include "reconciler/model/quantity.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// The API groups that are served side by side [R-OBJ-1].
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

// spec.backup of the directory store: the snapshot is stored in a repository [R-ONLINE-12].
struct BackupSpec {
  std::string repository{};
  // Files with the repository's password and with its credentials; the second may be empty.
  LocationName storage{};
  CopyMode mode = CopyMode::kAuto;
  bool verify = false;

  friend bool operator==(const BackupSpec&, const BackupSpec&) = default;
};

// spec.restoreFrom of the directory store: the volume begins as what is in a repository
// [R-ONLINE-12].
struct RestoreSpec {
  std::string repository{};
  LocationName storage{};
  // One of both: a snapshot in the repository, or the object whose backup it is.
  std::string snapshot_id{};
  std::string backup{};

  friend bool operator==(const RestoreSpec&, const RestoreSpec&) = default;
};

// The volume that is wanted. The size stays as written, so that a wrong one can be quoted.
struct VolumeSpec {
  std::string name{};
  std::string node_name{};
  std::string size{};
  std::string device_class{};
  std::string lvcreate_option_class{};
  std::string source{};
  std::string access_type{};
  // What older objects have in the place of device_class [R-OBJ-17].
  std::string vg_name{};
  // In the directory store only.
  std::optional<BackupSpec> backup{};
  std::optional<RestoreSpec> restore_from{};

  friend bool operator==(const VolumeSpec&, const VolumeSpec&) = default;
};

struct VolumeStatus {
  std::string volume_id{};
  // A number, not a Code: whoever wrote it may know more codes than we do.
  std::uint32_t code = 0;
  std::string message{};
  std::optional<Bytes> current_size{};
  // The generation of the spec that all this is about; 0: a store without generations.
  std::int64_t observed_generation = 0;
  // Others' among them [R-OBJ-25].
  Conditions conditions{};
  // The last backup or restore; absent while there was none [R-ONLINE-7].
  std::optional<SnapshotStatus> snapshot{};

  friend bool operator==(const VolumeStatus&, const VolumeStatus&) = default;
};

struct LogicalVolume {
  Key key;
  // The volume's name in LVM [R-OBJ-3]. Empty while a directory store has not fixed it.
  std::string uid;
  std::string resource_version;
  // Counts the changes of the spec; 0 where the store doesn't count.
  std::int64_t generation = 0;
  std::string deletion_timestamp;
  std::vector<std::string> finalizers;
  StringMap labels;
  StringMap annotations;
  VolumeSpec spec;
  VolumeStatus status;

  // What the store concludes from its own rules (docs/reconciler.md, section 2):
  // finalizer and label are there;
  bool has_metadata = false;
  // something of ours is to be let go when the volume is gone;
  bool has_finalizer = false;
  // the volume was made once, whatever the status says;
  bool created = false;
  // the volume is to be removed;
  bool removal_wanted = false;
  // that is on record, so that it will be finished;
  bool removal_begun = false;
  // the volume is restored from the backup of this id: decided once, and kept [R-ONLINE-2];
  std::string restore_from;
  // why the object can't be acted upon, as it is.
  std::optional<Error> defect;

  friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

// "topolvm.io/logicalvolume", with the object's own group [R-OBJ-4].
[[nodiscard]] std::string finalizer_of(Group group);

inline constexpr std::string_view kCreatedByLabel = "app.kubernetes.io/created-by";
inline constexpr std::string_view kCreatedByValue = "topolvm-controller";

inline constexpr std::string_view kAbandonAnnotation = "lvmd.io/abandon";

// In the kube store, what LogicalVolume::restore_from is kept in [R-ONLINE-2].
inline constexpr std::string_view kRestoreFromAnnotation = "lvmd.io/restore-from";
// In the kube store, the class that was found for the volume before it was made; empty: lvmd's
// default class [R-CREATE-8].
inline constexpr std::string_view kDeviceClassAnnotation = "lvmd.io/device-class";
// A new value asks for a failed transfer again [R-ONLINE-6].
inline constexpr std::string_view kRetryAnnotation = "lvmd.io/retry-requested-at";

// Somebody else is about to take the object: it is left alone altogether [R-OBJ-5].
[[nodiscard]] bool is_pending_deletion(const LogicalVolume& volume);

// An operator gives the volume up: the object may go without it [R-DELETE-5].
[[nodiscard]] bool is_abandoned(const LogicalVolume& volume);

// The value of kRetryAnnotation; empty: nobody asks for anything.
[[nodiscard]] std::string retry_request(const LogicalVolume& volume);

// The volume was made once: it is never made again [R-RUN-4].
[[nodiscard]] bool has_volume(const LogicalVolume& volume);

// The snapshot is stored in a repository: its volume is not needed any more, and neither grown nor
// missed [R-ONLINE-5].
[[nodiscard]] bool is_stored(const LogicalVolume& volume);

// The object is a snapshot, so it can have a snapshot class.
[[nodiscard]] bool may_have_class(const LogicalVolume& object);

// The name of the object whose snapshot or backup this volume begins as. Empty: the volume begins
// blank, or spec.restoreFrom names the snapshot in the repository.
[[nodiscard]] const std::string& source_name(const LogicalVolume& object);

// Same wish: everything but status and resourceVersion is equal [R-FAIL-5].
[[nodiscard]] bool same_request(const LogicalVolume& a, const LogicalVolume& b);

}  // namespace lvmd::reconciler
