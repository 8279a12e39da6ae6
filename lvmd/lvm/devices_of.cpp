#include "lvmd/lvm/devices_of.hpp"

#include <algorithm>

#include "lvmd/lvm/run_patiently.hpp"

namespace lvmd::lvm {

Result<std::vector<std::string>> devices_of(LvmRunner& lvm, std::string_view volume_group) {
  // vgs, not pvs: it takes the lock of this group only.
  LvmCommand vgs{"vgs"};
  vgs.flag("--noheadings").option("-o", "pv_name").operand(volume_group);
  const auto outcome = run_patiently(lvm, vgs, volume_group);
  if (!outcome) return std::unexpected(outcome.error());
  if (!outcome->succeeded())
    return fail(Code::kUnavailable,
                "volume group {} does not exist on any device that LVM may use: {}", volume_group,
                outcome->explanation());

  std::vector<std::string> devices;
  for (const std::string_view line : outcome->printed) {
    const std::size_t begin = line.find_first_not_of(' ');
    // A PV that is missing is printed as "[unknown]", a warning begins with "WARNING".
    if (begin == std::string_view::npos || line[begin] != '/') continue;
    const std::size_t end = line.find_last_not_of(' ');
    devices.emplace_back(line.substr(begin, end - begin + 1));
  }
  if (devices.empty())
    return fail(Code::kUnavailable, "volume group {} has no device: all of them are missing",
                volume_group);
  std::ranges::sort(devices);
  return devices;
}

}  // namespace lvmd::lvm
