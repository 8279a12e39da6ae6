// The LogicalVolume object for a request, and whether an existing object is for the same request.
// Pure. Rules: C-OBJ-*, C-SAME-*.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "csi/controller/driver.hpp"
#include "csi/controller/parameters.hpp"
#include "csi/controller/size_range.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// The annotations of a snapshot's object: the handle of the volume that it was taken of, and
// "online" if it is to be stored in a repository. Lists read them after the source is gone.
inline constexpr const char* kSourceVolumeAnnotation = "lvmd.io/source-volume";
inline constexpr const char* kSnapshotModeAnnotation = "lvmd.io/snapshot-mode";
inline constexpr const char* kOnlineMode = "online";

inline constexpr std::string_view kReadOnly = "ro";
inline constexpr std::string_view kReadWrite = "rw";

// An object to be created.
struct NewObject {
  reconciler::Key key{};
  reconciler::VolumeSpec spec{};
  reconciler::StringMap annotations{};
};

// The object's name for the name of a volume or snapshot: in lower case, as TopoLVM's.
// InvalidArgument, naming `field`, when the API server would not accept it.
[[nodiscard]] Result<std::string> object_name(const std::string& name, std::string_view field);

// A CreateVolume request, after its fields were checked.
struct VolumeRequest {
  reconciler::Key key{};
  SizeRange range{};
  VolumeParameters parameters{};
  // The object whose content the volume gets; absent: it begins blank.
  std::optional<reconciler::LogicalVolume> source{};
  // As of permitted_nodes().
  std::optional<std::vector<std::string>> permitted{};
};

// A CreateSnapshot request, after its fields were checked.
struct SnapshotRequest {
  reconciler::Key key{};
  reconciler::LogicalVolume source{};
  bool is_online = false;
};

// An object is a snapshot if it has a source and is read-only. Every other object is a volume.
[[nodiscard]] bool is_snapshot(const reconciler::LogicalVolume& object);

// The size of the volume, or the requested one while it is not known.
[[nodiscard]] reconciler::Bytes size_of(const reconciler::LogicalVolume& object);

// The volume can be created on every node, from the repository. Otherwise only on the node of its
// source.
[[nodiscard]] bool is_free_to_place(const VolumeRequest& request);

// The size of the volume. OutOfRange as of wanted_size().
[[nodiscard]] Result<reconciler::Bytes> size_for(const VolumeRequest& request);

// InvalidArgument when the device class cannot be used with the source.
[[nodiscard]] Status check_source(const VolumeRequest& request);

[[nodiscard]] NewObject desired_volume(const VolumeRequest& request, const std::string& node,
                                       reconciler::Bytes size);
[[nodiscard]] NewObject desired_snapshot(const SnapshotRequest& request);

// AlreadyExists, naming what differs, when the object was created for another request
// [C-SAME-1, C-SAME-2].
[[nodiscard]] Status check_same(const reconciler::LogicalVolume& object,
                                const VolumeRequest& request);
[[nodiscard]] Status check_same(const reconciler::LogicalVolume& object,
                                const SnapshotRequest& request);

}  // namespace lvmd::controller
