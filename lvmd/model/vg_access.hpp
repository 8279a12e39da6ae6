// LVM's word on how this host gets at a volume group.
#pragma once

#include <string>
#include <vector>

namespace lvmd::model {

struct VgAccess {
  // The device nodes of the group's PVs that are present, sorted: the choice of lvm.conf, devices
  // file and filters.
  std::vector<std::string> devices;
  // The group's LVM system ID (lvmsystemid(7)), which LVM took for this host's or for one that this
  // host may use; empty when the group has none.
  std::string system_id;

  friend bool operator==(const VgAccess&, const VgAccess&) = default;
};

}  // namespace lvmd::model
