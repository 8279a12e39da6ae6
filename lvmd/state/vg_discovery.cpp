#include "lvmd/state/vg_discovery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/metadata/run_program.hpp"
#include "lvmd/state/hidden_devices.hpp"

namespace lvmd::state {

Result<std::string> VgDiscovery::run_lvm(std::vector<std::string> words,
                                         std::chrono::milliseconds limit,
                                         std::vector<std::string> environment) const {
  words.insert(words.begin(), std::next(lvm_.begin()), lvm_.end());
  return metadata::run_program(lvm_.front(), words, limit, std::move(environment));
}

Result<std::string> VgDiscovery::run_vgs(const std::vector<std::string>& unresponsive,
                                         std::chrono::milliseconds limit) const {
  // vgs, not pvs: it takes the lock of this group only. It waits for the lock, and the limit ends
  // it.
  std::string settings = "global{wait_for_locks=1}";
  std::vector<std::string> environment;
  std::optional<HiddenDevices> hidden;
  if (!unresponsive.empty()) {
    auto made = HiddenDevices::make(unresponsive, [&](std::vector<std::string> words) {
      return run_lvm(std::move(words), limit);
    });
    if (!made) return std::unexpected(made.error());
    hidden.emplace(std::move(*made));
    settings += hidden->settings();
    environment = hidden->environment();
  }
  return run_lvm(
      {"vgs", "--noheadings", "-o", "pv_name,vg_systemid", "--config", settings, volume_group_},
      limit, std::move(environment));
}

Result<model::VgAccess> VgDiscovery::ask(std::chrono::milliseconds limit) {
  // What hung at the last question and hangs still makes LVM's answer the same.
  if (failure_ && !hidden_.empty() && probe_.still_unresponsive() == hidden_)
    return std::unexpected(*failure_);
  failure_.reset();
  auto unresponsive = probe_.unresponsive();
  if (!unresponsive) return std::unexpected(unresponsive.error());
  if (*unresponsive != hidden_ && !unresponsive->empty())
    log::warning(
        fmt::format("devices that do not answer are left out: {}", fmt::join(*unresponsive, ", ")),
        {{log::kVg, volume_group_}});
  hidden_ = std::move(*unresponsive);
  const auto printed = run_vgs(hidden_, limit);
  if (printed) return parse_access(*printed, volume_group_);
  Error error = make_error(
      Code::kUnavailable,
      "volume group {} does not exist on any device that LVM may use, or not for this host: {}",
      volume_group_, printed.error().message);
  if (printed.error().code == Code::kDeadlineExceeded)
    error =
        make_error(Code::kDeadlineExceeded,
                   "LVM has not told the devices of volume group {} within {} s: a device does "
                   "not answer, or another program holds the lock of the group",
                   volume_group_, std::chrono::duration_cast<std::chrono::seconds>(limit).count());
  else if (!hidden_.empty())
    error = make_error(Code::kDeadlineExceeded,
                       "volume group {} is on none of the devices that answer. These do not: {}. "
                       "Look for them in the kernel's log; lvmd goes on by itself when they answer",
                       volume_group_, fmt::join(hidden_, ", "));
  failure_ =
      std::move(error).because(reason::kVolumeGroupUnavailable).with(key::kVg, volume_group_);
  return std::unexpected(*failure_);
}

Result<model::VgAccess> parse_access(std::string_view printed, std::string_view volume_group) {
  model::VgAccess access;
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n'));
    printed.remove_prefix(std::min(line.size() + 1, printed.size()));
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

}  // namespace lvmd::state
