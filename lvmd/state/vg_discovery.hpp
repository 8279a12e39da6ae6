// Queries LVM for the devices of a volume group, in a separate process with a time limit.
//
// LVM selects the devices with lvm.conf, lvmlocal.conf, the devices file, filters and the system
// ID. Its command reads the label of every selected device. So lvmd first finds the devices that do
// not respond and hides them from the command: with rejections before the host's global_filter or,
// if the host has a devices file, with a copy of LVM's configuration whose devices file does not
// contain them. If a device hangs only after that, the command ends at the time limit.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/run_program.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/state/device_probe.hpp"

namespace lvmd::state {

// The command that runs the lvm program, from the setup of a worker or an observer.
template <typename Setup>
[[nodiscard]] std::vector<std::string> lvm_program(const Setup& setup) {
  const auto& prefix = setup.lvm_command_prefix();
  if (prefix.empty()) return {setup.lvm_path()};
  return {prefix.begin(), prefix.end()};
}

inline constexpr std::chrono::seconds kDiscoveryLimit{10};

// Not thread-safe.
class VgDiscovery {
 public:
  // `lvm`: the program and its arguments before the command, such as {"/usr/sbin/lvm"}. Not empty.
  VgDiscovery(std::string volume_group, std::vector<std::string> lvm,
              DeviceProbe probe = DeviceProbe{})
      : volume_group_(std::move(volume_group)), lvm_(std::move(lvm)), probe_(std::move(probe)) {}

  // Returns the devices of the group. Does not take LVM's lock. Blocks for at most
  // DeviceProbe::kPatience and `limit`. Errors:
  //   Unavailable         LVM finds no such group, or does not allow this host to use it. The
  //   message
  //                       has LVM's reason.
  //   FailedPrecondition  Two devices have the same PV id, as in parse_access().
  //   DeadlineExceeded    LVM finds no such group and devices do not respond, or LVM's command does
  //                       not end within `limit`. The caller should try again soon.
  [[nodiscard]] Result<model::VgAccess> ask(std::chrono::milliseconds limit = kDiscoveryLimit);

 private:
  [[nodiscard]] Result<ProgramOutput> run_vgs(const std::vector<std::string>& unresponsive,
                                              std::chrono::milliseconds limit) const;
  [[nodiscard]] Result<ProgramOutput> run_lvm(std::vector<std::string> arguments,
                                              std::chrono::milliseconds limit,
                                              std::vector<std::string> environment = {}) const;

  std::string volume_group_;
  std::vector<std::string> lvm_;
  DeviceProbe probe_;
  // The devices that did not respond at the last call, and its error.
  std::vector<std::string> hidden_;
  std::optional<Error> failure_;
};

// Parses the output of `vgs --noheadings -o pv_name,pv_uuid,vg_systemid` for the group. Unavailable
// if all PVs are missing. FailedPrecondition if a warning reports two devices with the same PV id:
// LVM then reads one of them, but refuses changes. Pure.
[[nodiscard]] Result<model::VgAccess> parse_access(const ProgramOutput& printed,
                                                   std::string_view volume_group);

}  // namespace lvmd::state
