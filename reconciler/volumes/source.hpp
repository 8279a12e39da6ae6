// The object that spec.source names, and whether a snapshot of its volume can be asked for.
#pragma once

#include <optional>
#include <string>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// What is known of the source object, when it was looked for.
struct Source {
  bool exists = false;
  std::string node_name{};
  std::string volume_id{};
  std::optional<Bytes> size{};
  // For online snapshots: who it is, what it is for, whether it is a snapshot itself, and what has
  // become of its backup.
  std::string uid{};
  std::string spec_name{};
  bool is_snapshot = false;
  std::optional<SnapshotStatus> snapshot{};
};

// Why the spec's source and access type can't be meant, whatever the source is: InvalidArgument,
// naming field and value. Absent also when no source is asked for [R-SRC-2].
[[nodiscard]] std::optional<Error> check_source_fields(const LogicalVolume& desired);

// Why no snapshot of `wanted` bytes can be asked for now. Unavailable when it is only a matter of
// time [R-SRC-4].
[[nodiscard]] std::optional<Error> check_source(const LogicalVolume& desired, const Source& source,
                                                Bytes wanted);

}  // namespace lvmd::reconciler
