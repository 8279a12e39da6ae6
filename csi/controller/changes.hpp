// Looks up existing volumes and snapshots, grows and removes them. Rules: C-OBJ-3, C-GROW-*,
// C-DELETE-*.
#pragma once

#include <string>
#include <string_view>

#include "csi/controller/object_store.hpp"
#include "csi/controller/waiter.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::controller {

// The object with this handle. Looks at the API server when the watch has not reported it, so
// NotFound is certain. FailedPrecondition when two objects have the handle. InvalidArgument, naming
// `field`, when the handle is empty.
[[nodiscard]] Result<reconciler::LogicalVolume> find_object(ObjectStore& store,
                                                            const std::string& handle,
                                                            std::string_view field);

// The same for one of the two kinds: NotFound for the other one.
[[nodiscard]] Result<reconciler::LogicalVolume> find_volume(ObjectStore& store,
                                                            const std::string& handle,
                                                            std::string_view field = "volume_id");
[[nodiscard]] Result<reconciler::LogicalVolume> find_snapshot(
    ObjectStore& store, const std::string& handle, std::string_view field = "snapshot_id");

// Waits until the volume has at least `size`. A larger volume stays as it is. The object
// afterwards.
[[nodiscard]] Result<reconciler::LogicalVolume> grow(ObjectStore& store,
                                                     reconciler::LogicalVolume object,
                                                     reconciler::Bytes size,
                                                     const CallLimit& limit);

// Waits until the object is gone. Success also if it was gone before.
[[nodiscard]] Status remove(ObjectStore& store, const reconciler::LogicalVolume& object,
                            const CallLimit& limit);

}  // namespace lvmd::controller
