// Owner tags of volumes [P-TAG-8, P-OWNER-*]: checks of requests, and answers.
#pragma once

#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/rpc.hpp"
#include "lvmd/v1/owner.pb.h"
#include "lvmd/volumes/service/read_model.hpp"
#include "lvmd/volumes/service/request_checks.hpp"

namespace lvmd::volumes {

// The metadata key of the calls that create a volume, with the owner of the new volume [P-OWNER-2].
inline constexpr const char* kOwnerMetadata = "lvmd-owner";

// Copies the owner from the call's metadata into the request; other requests than creations stay as
// they are. InvalidArgument for an invalid owner, or more than one.
[[nodiscard]] Status take_owner(const server::Context& context, internal::WorkerRequest& request);

// The change that replaces any owner tag of the volume by the requested one.
[[nodiscard]] Result<CheckedChange> check_owner_change(const model::ClassCatalog& catalog,
                                                       const v1::SetOwnerRequest& request);

// All classes and their volumes with owners [P-OWNER-4].
[[nodiscard]] v1::ListVolumesResponse list_owned(const model::ClassCatalog& catalog,
                                                 const ReadModel& read_model);

}  // namespace lvmd::volumes
