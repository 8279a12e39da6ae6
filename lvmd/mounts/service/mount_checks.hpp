// Checks of requests for mounts [P-ORDER-1]: first the device class, then the arguments by
// ascending field number, and then the volume in the newest state of its group.
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/v1/mount.pb.h"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::mounts {

// A checked job for a mounter.
struct CheckedMount {
  // Lives as long as the catalog; null if the request has no volume.
  const model::DeviceClass* device_class = nullptr;
  std::string volume;
  // Without the values of the volume's device, which fill_in_device() adds.
  internal::MountJob job;
};

// Pure. Errors name field, value and rule. `roots` are the mount roots of lvmd.yaml.
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

// Adds the volume's device to the job. Errors as find_device(); FailedPrecondition if the volume
// must be active and is not.
[[nodiscard]] Status fill_in_device(const volumes::ReadModel& read_model, CheckedMount& mount);

// The mount in a response to a caller. Volume and group are set for configured groups only.
[[nodiscard]] v1::MountEntry to_message(const model::ClassCatalog& catalog,
                                        const internal::MountedVolume& mount);

}  // namespace lvmd::mounts
