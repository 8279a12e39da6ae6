// Owner tags of volumes [P-TAG-8, P-OWNER-*]: checks of requests, and answers.
#pragma once

#include <string>
#include <string_view>

#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/v1/owner.pb.h"
#include "lvmd/volumes/service/read_model.hpp"
#include "lvmd/volumes/service/request_checks.hpp"

namespace lvmd::volumes {

// Checks an owner in a caller's request. InvalidArgument, with `field` and the value [P-OWNER-1].
[[nodiscard]] Status check_owner(std::string_view field, const std::string& owner);

// The change that replaces any owner tag of the volume by the requested one.
[[nodiscard]] Result<CheckedChange> check_owner_change(const model::ClassCatalog& catalog,
                                                       const v1::SetOwnerRequest& request);

// All classes and their volumes with owners [P-OWNER-4].
[[nodiscard]] v1::ListVolumesResponse list_owned(const model::ClassCatalog& catalog,
                                                 const ReadModel& read_model);

}  // namespace lvmd::volumes
