// The objects that an online snapshot depends on, in the API server's JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"

namespace lvmd::reconciler::kube {

// The name of the VolumeSnapshotContent of a snapshot named `spec_name`, by the snapshotter's rule:
// "snapcontent-X" for "snapshot-X". Absent: not the name of a snapshot [R-ONLINE-1].
[[nodiscard]] std::optional<std::string> content_name(std::string_view spec_name);

// The VolumeSnapshotClass that a content names; empty: none.
[[nodiscard]] Result<std::string> class_name_of(std::string_view content);

// A VolumeSnapshotClass, for an object of `group`: the names of the parameters begin with the group
// [R-OBJ-1].
[[nodiscard]] Result<SnapshotClass> parse_snapshot_class(Group group, std::string_view text);

// Unavailable while the PersistentVolume has no claim.
[[nodiscard]] Result<PersistentVolume> parse_persistent_volume(std::string_view text);

// A SnapshotBackupStorage without its credentials, and the name of the secret in its namespace that
// has them. FailedPrecondition naming the wrong field.
struct LocationObject {
  LocationSettings settings{};
  std::string secret_name{};
};
[[nodiscard]] Result<LocationObject> parse_location(const LocationName& name,
                                                    std::string_view text);

// Adds a Secret's password, keys and certificates to `settings`. FailedPrecondition naming the key
// that is missing or not base64, and never the value.
[[nodiscard]] Status add_secret(const LocationName& name, std::string_view text,
                                LocationSettings& settings);

}  // namespace lvmd::reconciler::kube
