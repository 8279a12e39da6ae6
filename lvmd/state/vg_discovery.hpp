// Asks LVM on which devices a volume group is, in a process of its own with a time limit.
//
// LVM decides: lvm.conf, lvmlocal.conf, the devices file, filters and the system ID. Its command
// reads the label of every device that they let it see. So the devices that do not answer are found
// first, and hidden from the command by what LVM has for that: rejections before the host's own
// global_filter or, where the host has a devices file, a copy of LVM's configuration with a devices
// file in which they are not. A device that hangs only then ends the command at the limit.
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

inline constexpr std::chrono::seconds kDiscoveryLimit{10};

// One thread.
class VgDiscovery {
 public:
  // `lvm` is the program and the words before the command: {"/usr/sbin/lvm"}. Not empty.
  VgDiscovery(std::string volume_group, std::vector<std::string> lvm,
              DeviceProbe probe = DeviceProbe{})
      : volume_group_(std::move(volume_group)), lvm_(std::move(lvm)), probe_(std::move(probe)) {}

  // Unavailable, with LVM's reason, when LVM knows no such group on any device that it may use, or
  // does not let this host use it. FailedPrecondition when two devices have one PV id, as
  // parse_access(). DeadlineExceeded, and worth another question soon, when devices
  // do not answer and LVM finds no such group without them, or when LVM has not answered within
  // `limit`. Takes no lock of LVM's. Blocks for DeviceProbe::kPatience and `limit`
  // at most.
  [[nodiscard]] Result<model::VgAccess> ask(std::chrono::milliseconds limit = kDiscoveryLimit);

 private:
  [[nodiscard]] Result<ProgramOutput> run_vgs(const std::vector<std::string>& unresponsive,
                                              std::chrono::milliseconds limit) const;
  [[nodiscard]] Result<ProgramOutput> run_lvm(std::vector<std::string> words,
                                              std::chrono::milliseconds limit,
                                              std::vector<std::string> environment = {}) const;

  std::string volume_group_;
  std::vector<std::string> lvm_;
  DeviceProbe probe_;
  // The devices that did not answer at the last question, and what came of it.
  std::vector<std::string> hidden_;
  std::optional<Error> failure_;
};

// What `vgs --noheadings -o pv_name,pv_uuid,vg_systemid` printed for the group. Unavailable when
// all of its devices are missing. FailedPrecondition when a warning says that two devices have one
// PV id: the group is there, LVM prefers one of them, and changes nothing. Pure.
[[nodiscard]] Result<model::VgAccess> parse_access(const ProgramOutput& printed,
                                                   std::string_view volume_group);

}  // namespace lvmd::state
