// Requests that change a volume, checked as far as the request and the configuration tell
// [P-ORDER-1]: the device class, its type, then the arguments by ascending field number. What
// depends on the volume group's state is for the worker, which checks and acts in one step.
#pragma once

#include <string>

#include "internal/worker.pb.h"
#include "lvmd.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::volumes {

// A change that its worker may be asked for.
struct CheckedChange {
  std::string volume_group;
  std::string volume;
  // Without an id.
  internal::WorkerRequest request;
};

// The class of that name, "" being the default one [P-CLASS-1]; `unknown` otherwise [P-CLASS-2].
[[nodiscard]] Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                                           const std::string& name,
                                                           Code unknown = Code::kNotFound);

// Errors name field, value and rule; nothing has been done then.
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::CreateLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::RemoveLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::ResizeLVRequest& request);
[[nodiscard]] Result<CheckedChange> check(const model::ClassCatalog& catalog,
                                          const proto::CreateLVSnapshotRequest& request);

}  // namespace lvmd::volumes
