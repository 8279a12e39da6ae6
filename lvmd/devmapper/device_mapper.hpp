// What the kernel knows of a volume group's active volumes.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/devmapper/dm_control.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::devmapper {

// Reads only; no call waits for a disk or commits a thin pool's metadata. libdevmapper is not
// thread-safe: one thread of a process uses this, and nothing else of that library meanwhile.
// Everything fails Internal or PermissionDenied when /dev/mapper/control can't be used (the module
// dm_mod isn't loaded, no CAP_SYS_ADMIN).
class DeviceMapper {
 public:
  // Sends libdevmapper's own messages to lvmd's log instead of stderr.
  DeviceMapper();

  using Ids = std::set<std::string, std::less<>>;

  // Every active volume and thin pool of the group, and the targets of the volumes `with_status`.
  // Ids are 32 characters without dashes. A device that goes away meanwhile is left out.
  [[nodiscard]] Result<model::VgDevices> devices(std::string_view vg_name, std::string_view vg_id,
                                                 const Ids& with_status);

  // One volume's own device at this moment; absent when the volume is inactive. For what must be
  // asked again right before a removal: is it open?
  [[nodiscard]] Result<std::optional<model::DeviceState>> device(std::string_view vg_id,
                                                                 std::string_view lv_id);

  // One thin pool, as cheap as it gets: one status call. Absent when the pool is inactive.
  [[nodiscard]] Result<std::optional<model::ThinPoolState>> thin_pool(std::string_view vg_id,
                                                                      std::string_view lv_id);

  // How one RAID volume or mirror does at this moment: two status calls at most. Absent when it is
  // inactive, or another kind of volume.
  [[nodiscard]] Result<std::optional<model::Redundancy>> redundancy(std::string_view vg_id,
                                                                    std::string_view lv_id);

 private:
  // Opened by the first call that needs it.
  std::optional<DmControl> control_;
};

}  // namespace lvmd::devmapper
