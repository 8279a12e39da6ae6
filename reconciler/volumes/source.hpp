// The object of spec.source, and whether a snapshot of its volume can be created.
#pragma once

#include <optional>
#include <string>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// What was read of the source object.
struct Source {
  bool exists = false;
  std::string node_name{};
  std::string volume_id{};
  std::optional<Bytes> size{};
  // For online snapshots: its identity, its name in spec.name, whether it is a snapshot itself, and
  // the state of its backup.
  std::string uid{};
  std::string spec_name{};
  bool is_snapshot = false;
  std::optional<SnapshotStatus> snapshot{};
};

// Why spec.source and spec.accessType are wrong, whatever the source is: InvalidArgument, naming
// field and value. Absent also without a source [R-SRC-2].
[[nodiscard]] std::optional<Error> check_source_fields(const LogicalVolume& desired);

// Why a snapshot of `wanted` bytes cannot be created now. Unavailable: it can be created later
// [R-SRC-4].
[[nodiscard]] std::optional<Error> check_source(const LogicalVolume& desired, const Source& source,
                                                Bytes wanted);

}  // namespace lvmd::reconciler
