#include "lvmd/state/pool_monitoring.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "lvmd/base/run_program.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/device_filter.hpp"

namespace lvmd::state {

bool dmeventd_listens(const std::string& fifo) {
  // Fails with ENXIO if no process reads the FIFO.
  const UniqueFd writer{::open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
  return static_cast<bool>(writer);
}

std::vector<std::string> active_pools(const model::VolumeGroup& group) {
  std::vector<std::string> pools;
  for (const model::LogicalVolume& lv : group.logical_volumes)
    if (lv.pool_condition) pools.push_back(lv.name);
  return pools;
}

Result<std::vector<std::string>> unmonitored_pools(const std::vector<std::string>& lvm,
                                                   const std::string& volume_group,
                                                   const std::vector<std::string>& devices,
                                                   std::chrono::milliseconds limit) {
  std::vector<std::string> arguments{std::next(lvm.begin()), lvm.end()};
  // Always without hints and with backup=0, as in VgDiscovery.
  const std::string settings = "activation{monitoring=1}backup{backup=0}" +
                               model::only_devices(devices).value_or(R"(devices{hints="none"})");
  arguments.insert(arguments.end(),
                   {"lvs", "--noheadings", "-o", "lv_active,lv_name,seg_monitor", "--select",
                    "segtype=thin-pool", "--config", settings, "--nolocking", volume_group});
  const auto printed = run_program(lvm.front(), arguments, limit);
  if (!printed) return std::unexpected(printed.error());
  return parse_monitoring(printed->out);
}

std::vector<std::string> parse_monitoring(std::string_view printed) {
  std::vector<std::string> pools;
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n'));
    printed.remove_prefix(std::min(line.size() + 1, printed.size()));
    // "active", the name, and "monitored" or "not monitored". The first field of an inactive pool
    // is empty.
    constexpr std::string_view kActive = "active ";
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos || !line.substr(begin).starts_with(kActive)) continue;
    if (!line.contains(" not monitored")) continue;
    const std::size_t name = line.find_first_not_of(' ', begin + kActive.size());
    if (name == std::string_view::npos) continue;
    pools.emplace_back(line.substr(name, line.find(' ', name) - name));
  }
  std::ranges::sort(pools);
  return pools;
}

}  // namespace lvmd::state
