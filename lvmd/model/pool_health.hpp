// What the state of a thin pool means for its device class [P-POOL].
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// By the kernel's status line alone.
[[nodiscard]] PoolHealth kernel_health(const ThinPoolState& pool);

// The word for it in metrics: "ok", "out_of_data_space", "read_only", "needs_check", "failed",
// "error", "transaction_id_mismatch".
[[nodiscard]] std::string_view to_string(PoolHealth health);

// The thin pool of a class. Unavailable, naming both, when it is absent or isn't a thin pool.
[[nodiscard]] Result<const LogicalVolume*> find_thin_pool(const VolumeGroup& group,
                                                          const ThinPoolTarget& pool);

// The same for whoever changes volumes or promises space: Unavailable, too, while the pool takes no
// change, saying what repairs it. A pool that is out of data space passes, and so does an inactive
// one: LVM activates it.
[[nodiscard]] Result<const LogicalVolume*> find_usable_pool(const VolumeGroup& group,
                                                            const ThinPoolTarget& pool);

// The pool has no data space left: it promises nothing more.
[[nodiscard]] bool is_out_of_data_space(const LogicalVolume& pool);

}  // namespace lvmd::model
