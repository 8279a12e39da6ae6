#include "lvmd/state/vg_discovery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/base/run_program.hpp"
#include "lvmd/state/hidden_devices.hpp"

namespace lvmd::state {

Result<ProgramOutput> VgDiscovery::run_lvm(std::vector<std::string> arguments,
                                           std::chrono::milliseconds limit,
                                           std::vector<std::string> environment) const {
  arguments.insert(arguments.begin(), std::next(lvm_.begin()), lvm_.end());
  return run_program(lvm_.front(), arguments, limit, std::move(environment));
}

Result<ProgramOutput> VgDiscovery::run_vgs(const std::vector<std::string>& unresponsive,
                                           std::chrono::milliseconds limit) const {
  // Without LVM's lock: a worker of a killed lvmd may hold the lock until its command ends, and
  // reads must not wait for it [P-RUN-10]. vgs changes nothing. During a commit it reads the state
  // before or after the commit. Without hints: LVM with --nolocking writes the hints file also
  // while another command has it locked. If that command is a vgcreate, the file then lacks the new
  // VG, and no LVM command on this host finds the VG until another device appears.
  // With backup=0, because otherwise vgs writes the copies of the metadata if the backup is out of
  // date: the worker is about to write them (P-RUN-24).
  std::string settings = R"(global{wait_for_locks=0}devices{hints="none"}backup{backup=0})";
  std::vector<std::string> environment;
  std::optional<HiddenDevices> hidden;
  if (!unresponsive.empty()) {
    auto made = HiddenDevices::make(unresponsive,
                                    [&](std::vector<std::string> arguments) -> Result<std::string> {
                                      auto printed = run_lvm(std::move(arguments), limit);
                                      if (!printed) return std::unexpected(printed.error());
                                      return std::move(printed->out);
                                    });
    if (!made) return std::unexpected(made.error());
    hidden.emplace(std::move(*made));
    settings += hidden->settings();
    environment = hidden->environment();
  }
  return run_lvm({"vgs", "--noheadings", "-o", "pv_name,pv_uuid,vg_systemid", "--config", settings,
                  "--nolocking", volume_group_},
                 limit, std::move(environment));
}

Result<model::VgAccess> VgDiscovery::ask(std::chrono::milliseconds limit) {
  // While the same devices hang, LVM's result is the same.
  if (failure_ && !hidden_.empty() && probe_.still_unresponsive() == hidden_)
    return std::unexpected(*failure_);
  failure_.reset();
  auto unresponsive = probe_.unresponsive();
  if (!unresponsive) return std::unexpected(unresponsive.error());
  if (*unresponsive != hidden_ && !unresponsive->empty())
    log::warning(
        fmt::format("hiding devices that do not respond: {}", fmt::join(*unresponsive, ", ")),
        {{log::kVg, volume_group_}});
  hidden_ = std::move(*unresponsive);
  const auto printed = run_vgs(hidden_, limit);
  if (printed) return parse_access(*printed, volume_group_);
  Error error =
      make_error(Code::kUnavailable, "LVM finds no volume group {} that this host may use: {}",
                 volume_group_, printed.error().message);
  if (printed.error().code == Code::kDeadlineExceeded)
    error =
        make_error(Code::kDeadlineExceeded,
                   "LVM did not report the devices of volume group {} within {} s: a device does "
                   "not respond",
                   volume_group_, std::chrono::duration_cast<std::chrono::seconds>(limit).count());
  else if (!hidden_.empty())
    error =
        make_error(Code::kDeadlineExceeded,
                   "volume group {} is on none of the devices that respond. Devices that do not "
                   "respond: {}. Check them in the kernel's log; lvmd continues when they respond",
                   volume_group_, fmt::join(hidden_, ", "));
  failure_ =
      std::move(error).because(reason::kVolumeGroupUnavailable).with(key::kVg, volume_group_);
  return std::unexpected(*failure_);
}

Result<model::VgAccess> parse_access(const ProgramOutput& printed, std::string_view volume_group) {
  model::VgAccess access;
  std::map<std::string, std::string> device_by_pv;
  std::istringstream lines{printed.out};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields{line};
    // Device names, ids and system IDs contain no blanks.
    std::string device;
    std::string pv_id;
    fields >> device >> pv_id >> access.system_id;
    // The device of a missing PV is "[unknown]".
    if (!device.starts_with('/')) continue;
    device_by_pv[pv_id] = device;
    access.devices.push_back(std::move(device));
  }
  if (access.devices.empty())
    return fail(Code::kUnavailable, "volume group {} has no device: all its PVs are missing",
                volume_group);
  // "WARNING: Not using device /dev/sdb for PV b3G7...". lvmd's own commands use only the devices
  // of the group, so LVM would not detect the duplicate and refuse a change there.
  constexpr std::string_view kNotUsed = "Not using device ";
  constexpr std::string_view kForPv = " for PV ";
  std::istringstream warnings{printed.errors};
  for (std::string line; std::getline(warnings, line);) {
    const std::size_t at = line.find(kNotUsed);
    const std::size_t pv = at == std::string::npos ? at : line.find(kForPv, at);
    if (pv == std::string::npos) continue;
    std::string pv_id = line.substr(pv + kForPv.size());
    while (pv_id.ends_with('.') || pv_id.ends_with(' ')) pv_id.pop_back();
    const auto used = device_by_pv.find(pv_id);
    if (used == device_by_pv.end()) continue;
    return fail(Code::kFailedPrecondition,
                "volume group {}: the devices {} and {} have the same PV id {}: hide one of them "
                "from LVM",
                volume_group, used->second,
                line.substr(at + kNotUsed.size(), pv - at - kNotUsed.size()), pv_id);
  }
  std::ranges::sort(access.devices);
  return access;
}

}  // namespace lvmd::state
