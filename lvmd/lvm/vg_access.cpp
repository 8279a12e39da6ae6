#include "lvmd/lvm/vg_access.hpp"

#include <algorithm>

#include "lvmd/lvm/run_patiently.hpp"

namespace lvmd::lvm {

Result<model::VgAccess> access_to(LvmRunner& lvm, std::string_view volume_group) {
  // vgs, not pvs: it takes the lock of this group only.
  LvmCommand vgs{"vgs"};
  vgs.flag("--noheadings").option("-o", "pv_name,vg_systemid").operand(volume_group);
  const auto outcome = run_patiently(lvm, vgs, volume_group);
  if (!outcome) return std::unexpected(outcome.error());
  if (!outcome->succeeded())
    return fail(Code::kUnavailable,
                "volume group {} does not exist on any device that LVM may use, or not for this "
                "host: {}",
                volume_group, outcome->explanation());

  model::VgAccess access;
  for (const std::string_view line : outcome->printed) {
    const std::size_t begin = line.find_first_not_of(' ');
    // A PV that is missing is printed as "[unknown]", a warning begins with "WARNING".
    if (begin == std::string_view::npos || line[begin] != '/') continue;
    // Neither a device's name nor a system ID can have a blank in it.
    const std::size_t name_end = std::min(line.find(' ', begin), line.size());
    access.devices.emplace_back(line.substr(begin, name_end - begin));
    const std::size_t id_begin = line.find_first_not_of(' ', name_end);
    if (id_begin != std::string_view::npos)
      access.system_id = line.substr(id_begin, line.find_last_not_of(' ') + 1 - id_begin);
  }
  if (access.devices.empty())
    return fail(Code::kUnavailable, "volume group {} has no device: all of them are missing",
                volume_group);
  std::ranges::sort(access.devices);
  return access;
}

}  // namespace lvmd::lvm
