// How this host accesses a volume group, as LVM reports it.
#pragma once

#include <string>
#include <vector>

namespace lvmd::model {

struct VgAccess {
  // The sorted device nodes of the group's PVs that are present, as selected by lvm.conf, devices
  // file and filters.
  std::vector<std::string> devices;
  // The group's system ID (lvmsystemid(7)), which LVM accepts on this host. Empty: the group has
  // none.
  std::string system_id;

  friend bool operator==(const VgAccess&, const VgAccess&) = default;
};

}  // namespace lvmd::model
