// Objects and requests for the cases of csi-controller.
#pragma once

#include <string>

#include "csi/controller/api.hpp"
#include "csi/controller/placement.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller::test {

inline constexpr std::int64_t kGi = std::int64_t{1} << 30;

inline reconciler::LogicalVolume sample_volume(const std::string& name = "pvc-1") {
  reconciler::LogicalVolume object;
  object.key = {.name = name};
  object.uid = "uid-of-" + name;
  object.resource_version = "7";
  object.generation = 1;
  object.creation_timestamp = "2026-01-31T12:00:00Z";
  object.spec = {.name = name, .node_name = "n1", .size = "1Gi", .device_class = "ssd"};
  object.status.volume_id = object.uid;
  object.status.current_size = reconciler::Bytes{kGi};
  object.status.observed_generation = 1;
  return object;
}

inline reconciler::LogicalVolume sample_snapshot(const std::string& name = "snapshot-1",
                                                 const std::string& source = "pvc-1") {
  reconciler::LogicalVolume object = sample_volume(name);
  object.spec.source = source;
  object.spec.access_type = "ro";
  return object;
}

// A snapshot whose backup has succeeded.
inline reconciler::LogicalVolume stored_snapshot() {
  reconciler::LogicalVolume object = sample_snapshot();
  object.status.snapshot = {.operation = reconciler::Operation::kBackup,
                            .phase = reconciler::SnapshotPhase::kSucceeded,
                            .repository = "s3:https://store/bucket",
                            .snapshot_id = "abc",
                            .backup_id = object.uid,
                            .version = std::string{reconciler::kStoredVersion}};
  return object;
}

inline api::VolumeCapability mount_capability(
    const std::string& fs_type = "", api::VolumeCapability::AccessMode::Mode mode =
                                         api::VolumeCapability::AccessMode::SINGLE_NODE_WRITER) {
  api::VolumeCapability capability;
  capability.mutable_mount()->set_fs_type(fs_type);
  capability.mutable_access_mode()->set_mode(mode);
  return capability;
}

inline api::VolumeCapability block_capability() {
  api::VolumeCapability capability;
  capability.mutable_block();
  capability.mutable_access_mode()->set_mode(api::VolumeCapability::AccessMode::SINGLE_NODE_WRITER);
  return capability;
}

inline void add_node(google::protobuf::RepeatedPtrField<api::Topology>& topologies,
                     const std::string& name, const std::string& key = "topology.topolvm.io/node") {
  (*topologies.Add()->mutable_segments())[key] = name;
}

}  // namespace lvmd::controller::test
