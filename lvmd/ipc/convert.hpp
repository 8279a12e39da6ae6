// Converts between lvmd/model and protobuf. from_proto() returns InvalidArgument if a message
// breaks a rule of the model; the error names the object. Pure.
#pragma once

#include "internal/model.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::ipc {

[[nodiscard]] internal::Error to_proto(const Error& error);
[[nodiscard]] internal::ClassCatalog to_proto(const model::ClassCatalog& catalog);
[[nodiscard]] internal::LogicalVolume to_proto(const model::LogicalVolume& lv);
[[nodiscard]] internal::VgState to_proto(const model::VgState& state);
// All fields but the volumes.
[[nodiscard]] internal::VolumeGroup to_proto_without_volumes(const model::VolumeGroup& group);

// An unknown code becomes Internal.
[[nodiscard]] Error from_proto(const internal::Error& error);
[[nodiscard]] Result<model::ClassCatalog> from_proto(const internal::ClassCatalog& catalog);
[[nodiscard]] Result<model::LogicalVolume> from_proto(const internal::LogicalVolume& from);
[[nodiscard]] Result<model::VolumeGroup> from_proto(const internal::VolumeGroup& from);
// InvalidArgument for a state with a change: StateReader applies it.
[[nodiscard]] Result<model::VgState> from_proto(const internal::VgState& from);

}  // namespace lvmd::ipc
