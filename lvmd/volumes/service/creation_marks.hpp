// Marks that a new volume gets from the metadata of the call that creates it. TopoLVM's requests
// have no fields for them.
#pragma once

#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::volumes {

// The owner of the new volume [P-OWNER-2].
inline constexpr const char* kOwnerMetadata = "lvmd-owner";
// The id of the restore that will fill the new volume, of CreateLV only [P-XFER-25].
inline constexpr const char* kRestoreMetadata = "lvmd-restore";

// Adds the marks in the call's metadata to the request; other requests than creations stay as they
// are. InvalidArgument, naming the key, for an invalid value, or more than one.
[[nodiscard]] Status take_marks(const server::Context& context, internal::WorkerRequest& request);

}  // namespace lvmd::volumes
