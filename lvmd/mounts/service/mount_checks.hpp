// Requests for mounts, checked as far as the request and the configuration tell [P-ORDER-1]: the
// device class, then the arguments by ascending field number; and then the volume, by the state
// that lvmd holds.
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/v1/mount.pb.h"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::mounts {

// A job that a mounter may be asked for.
struct CheckedMount {
  // Lives as long as the catalog; null when no volume is named.
  const model::DeviceClass* device_class = nullptr;
  std::string volume;
  // Of its device nothing is filled in.
  internal::MountJob job;
};

// Errors name field, value and rule; nothing has been done then. `roots` are lvmd.yaml's.
[[nodiscard]] Result<CheckedMount> check(const model::ClassCatalog& catalog,
                                         std::span<const std::string> roots,
                                         const v1::MountRequest& request);
[[nodiscard]] Result<CheckedMount> check(const model::ClassCatalog& catalog,
                                         std::span<const std::string> roots,
                                         const v1::UnmountRequest& request);
[[nodiscard]] Result<CheckedMount> check(const model::ClassCatalog& catalog,
                                         std::span<const std::string> roots,
                                         const v1::GrowFileSystemRequest& request);
[[nodiscard]] Result<CheckedMount> check(const model::ClassCatalog& catalog,
                                         std::span<const std::string> roots,
                                         const v1::GetUsageRequest& request);

// Puts the volume's device into the job. As find_device(); FailedPrecondition when it has to be
// active and isn't.
[[nodiscard]] Status fill_in_device(const volumes::ReadModel& read_model, CheckedMount& mount);

// As callers see it: volume and group are told of configured groups only.
[[nodiscard]] v1::MountEntry to_message(const model::ClassCatalog& catalog,
                                        const internal::MountedVolume& mount);

}  // namespace lvmd::mounts
