// The marks that say whose a volume is [P-TAG-8, P-OWNER-*]: requests checked, answers made.
#pragma once

#include <grpcpp/server_context.h>

#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/v1/owner.pb.h"
#include "lvmd/volumes/service/read_model.hpp"
#include "lvmd/volumes/service/request_checks.hpp"

namespace lvmd::volumes {

// Metadata of CreateLV and CreateLVSnapshot: the owner that the new volume gets [P-OWNER-2].
inline constexpr const char* kOwnerMetadata = "lvmd-owner";

// The call's owner goes into the request, which is any change. InvalidArgument when it can't be an
// owner, or there are two.
[[nodiscard]] Status take_owner(const grpc::CallbackServerContext& context,
                                internal::WorkerRequest& request);

// The volume's mark becomes the one that is asked for, in the place of any other that the worker
// finds.
[[nodiscard]] Result<CheckedChange> check_owner_change(const model::ClassCatalog& catalog,
                                                       const v1::SetOwnerRequest& request);

// [P-OWNER-4]
[[nodiscard]] v1::ListVolumesResponse list_owned(const model::ClassCatalog& catalog,
                                                 const ReadModel& read_model);

}  // namespace lvmd::volumes
