// The objects that stand behind an online snapshot, as the API server writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"

namespace lvmd::reconciler::kube {

// The VolumeSnapshotContent of a snapshot named `spec_name`, by the rule of the snapshotter:
// "snapcontent-X" for "snapshot-X". Absent: the name is no snapshot's [R-ONLINE-1].
[[nodiscard]] std::optional<std::string> content_name(std::string_view spec_name);

// The VolumeSnapshotClass that a content names; empty: none.
[[nodiscard]] Result<std::string> class_name_of(std::string_view content);

// Of a VolumeSnapshotClass, for an object of `group`: the parameters begin with it [R-OBJ-1].
[[nodiscard]] Result<SnapshotClass> parse_snapshot_class(Group group, std::string_view text);

// Unavailable while no claim stands behind it.
[[nodiscard]] Result<PersistentVolume> parse_persistent_volume(std::string_view text);

// A SnapshotBackupStorage without its credentials, and the secret in its namespace that has them.
// FailedPrecondition naming the field that is wrong.
struct LocationObject {
  LocationSettings settings{};
  std::string secret_name{};
};
[[nodiscard]] Result<LocationObject> parse_location(const LocationName& name,
                                                    std::string_view text);

// Puts a Secret's password, keys and certificates into `storage`. FailedPrecondition naming the key
// that is missing or no base64; never the value.
[[nodiscard]] Status add_secret(const LocationName& name, std::string_view text,
                                LocationSettings& settings);

}  // namespace lvmd::reconciler::kube
