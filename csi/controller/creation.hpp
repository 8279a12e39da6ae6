// Creates the object of a volume or snapshot, and waits until the node has carried it out. Rules:
// C-CREATE-*.
#pragma once

#include "csi/controller/object_store.hpp"
#include "csi/controller/waiter.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::controller {

// The object with its volume. Can be repeated, also in another process: the object that exists is
// taken. When the node refuses, the object is removed again. Errors: those of the rules, and those
// of the store.
[[nodiscard]] Result<reconciler::LogicalVolume> create_volume(ObjectStore& store,
                                                              const VolumeRequest& request,
                                                              const CallLimit& limit);
[[nodiscard]] Result<reconciler::LogicalVolume> create_snapshot(ObjectStore& store,
                                                                const SnapshotRequest& request,
                                                                const CallLimit& limit);

}  // namespace lvmd::controller
