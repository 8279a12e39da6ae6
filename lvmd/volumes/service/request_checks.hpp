// Checks requests that change a volume, as far as request and configuration suffice [P-ORDER-1]:
// the device class, its type, then the arguments by ascending field number. The worker makes the
// checks that depend on the volume group's state, in one step with the change.
#pragma once

#include <string>

#include "internal/worker.pb.h"
#include "lvmd.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::volumes {

// A checked change for its worker.
struct CheckedChange {
  std::string volume_group;
  std::string volume;
  // The id is not set.
  internal::WorkerRequest request;
};

// The class of that name; "" is the default class [P-CLASS-1]. An Error with code `unknown` if
// there is none [P-CLASS-2].
[[nodiscard]] Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                                           const std::string& name,
                                                           Code unknown = Code::kNotFound);

// Errors name field, value and rule. The check has no effects.
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::CreateLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::RemoveLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::ResizeLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::CreateLVSnapshotRequest& request);

}  // namespace lvmd::volumes
