// What callers see of a state: model values as messages of protos/lvmd.proto.
#pragma once

#include "lvmd.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// Every field filled; tags without lvmd's private ones [P-TAG-3].
[[nodiscard]] proto::LogicalVolume to_message(const model::LogicalVolume& lv);

// The volumes of the class [P-CLASS-3, P-CLASS-4] but for the hidden ones, sorted by name.
// Unavailable when the class's pool isn't there.
[[nodiscard]] Result<proto::GetLVListResponse> list_volumes(const model::VolumeGroup& group,
                                                            const model::DeviceClass& device_class,
                                                            const HiddenVolumes& hidden = {});

// One item per class whose volume group and pool are usable, in the order of the configuration
// [P-WATCH-3].
[[nodiscard]] proto::WatchResponse watch_message(const model::ClassCatalog& catalog,
                                                 const ReadModel& read_model);

}  // namespace lvmd::volumes
