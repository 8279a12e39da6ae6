// Queries device-mapper for the active volumes of a volume group.
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

// Read-only. No call waits for a disk or commits the metadata of a thin pool. Not thread-safe:
// libdevmapper must be used by one thread of the process at a time. All functions return Internal
// or PermissionDenied if /dev/mapper/control cannot be used (module dm_mod not loaded, no
// CAP_SYS_ADMIN).
class DeviceMapper {
 public:
  // Redirects libdevmapper's messages from stderr to lvmd's log.
  DeviceMapper();

  using Ids = std::set<std::string, std::less<>>;

  // The devices of all active volumes and thin pools of the group, and the target status of the
  // volumes with the LV ids `with_status`. Ids have 32 characters without dashes. Leaves out
  // devices that disappear during the call.
  [[nodiscard]] Result<model::VgDevices> devices(std::string_view vg_name, std::string_view vg_id,
                                                 const Ids& with_status);

  // The present state of one volume's own device; absent if the volume is inactive. For the check
  // directly before a removal that the volume is not open.
  [[nodiscard]] Result<std::optional<model::DeviceState>> device(std::string_view vg_id,
                                                                 std::string_view lv_id);

  // The present state of one thin pool, with one status call. Absent if the pool is inactive.
  [[nodiscard]] Result<std::optional<model::ThinPoolState>> thin_pool(std::string_view vg_id,
                                                                      std::string_view lv_id);

  // The present redundancy of one RAID volume or mirror, with at most two status calls. Absent if
  // the volume is inactive or of another kind.
  [[nodiscard]] Result<std::optional<model::Redundancy>> redundancy(std::string_view vg_id,
                                                                    std::string_view lv_id);

 private:
  // Adds the device if it is a volume or a thin pool of the group.
  [[nodiscard]] Status add_listed(const ListedDevice& listed, std::string_view vg_id,
                                  const Ids& with_status, model::VgDevices& devices);

  // Opened by the first call that needs it.
  std::optional<DmControl> control_;
};

}  // namespace lvmd::devmapper
