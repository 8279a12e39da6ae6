// Converts model values to messages of protos/lvmd.proto.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "lvmd.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// Fills every field of an empty message. Omits lvmd's private tags [P-TAG-3].
void fill(proto::LogicalVolume& message, const model::LogicalVolume& lv);

// The encoded GetLVListResponse with the visible volumes of the class [P-CLASS-3, P-CLASS-4],
// sorted by name. All calls with the same view and pool share its bytes. Unavailable when the
// class's pool does not exist.
[[nodiscard]] Result<grpc::ByteBuffer> list_response(const ReadModel::View& view,
                                                     const model::DeviceClass& device_class);

// One item per class whose volume group and pool are usable, in the order of the configuration
// [P-WATCH-3].
[[nodiscard]] proto::WatchResponse watch_message(const model::ClassCatalog& catalog,
                                                 const ReadModel& read_model);

}  // namespace lvmd::volumes
