// The effect of a thin pool's state on its device class [P-POOL]. Pure.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// The health from the kernel's status line, without LVM's transaction id.
[[nodiscard]] PoolHealth kernel_health(const ThinPoolState& pool);

// The label value in metrics: "ok", "out_of_data_space", "read_only", "needs_check", "failed",
// "error" or "transaction_id_mismatch".
[[nodiscard]] std::string_view to_string(PoolHealth health);

// The thin pool of a class; valid as long as `group`. Unavailable if the volume does not exist or
// is not a thin pool; the message names the group and the pool.
[[nodiscard]] Result<const LogicalVolume*> find_thin_pool(const VolumeGroup& group,
                                                          const ThinPoolTarget& pool);

// As find_thin_pool(), for callers that change volumes or provision space: also Unavailable if the
// pool cannot be changed; the message describes the repair. OK for a pool that is out of data
// space, and for an inactive pool, which LVM activates when needed.
[[nodiscard]] Result<const LogicalVolume*> find_usable_pool(const VolumeGroup& group,
                                                            const ThinPoolTarget& pool);

// The Errors of find_thin_pool() and find_usable_pool() for the pool of a class. OK for a class
// without a pool.
[[nodiscard]] Status check_pool_exists(const VolumeGroup& group, const DeviceClass& device_class);
[[nodiscard]] Status check_pool_usable(const VolumeGroup& group, const DeviceClass& device_class);

// True if the pool has no data space left. lvmd provisions no more space then.
[[nodiscard]] bool is_out_of_data_space(const LogicalVolume& pool);

}  // namespace lvmd::model
