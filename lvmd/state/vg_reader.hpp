// The state of one volume group, from the disks and the kernel: what LVM committed, what
// device-mapper runs.
//
// Reads only. The metadata is read directly; a layout that the direct reader doesn't know is read
// from lvm's own report, by a child process with a time limit, and that is logged once.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/metadata/metadata_reader.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// The longest that the report may take before the last state goes on being served.
inline constexpr std::chrono::seconds kReportLimit{30};

// One thread.
class VgReader {
 public:
  // `lvm_path` is the lvm program, for the report. One reader of the group verifies all copies of
  // its metadata; the others, which are in a hurry, trust them.
  VgReader(std::string volume_group, std::string lvm_path,
           metadata::Copies copies = metadata::Copies::kTrust);

  // The group as it is on LVM's devices for it. Unavailable, in the state, with the reason where it
  // can't be had. Cheap while the metadata's header is unchanged. Calls `before_report` when LVM's
  // report is needed, for which it may wait up to kReportLimit.
  [[nodiscard]] model::VgState read(const model::VgAccess& access,
                                    const std::function<void()>& before_report = {});

  // The group's devices were written: the next read verifies the copies.
  void doubt_copies() { metadata_.doubt(); }

  // LVM knows no such group any more, for which it gave `before`. Reads those devices: somebody may
  // have renamed the group. Adds its new name to `error`, and what to do.
  void look_for_new_name(const model::VgAccess& before, Error& error);

  // The last read met a PV that is on none of the devices: LVM should be asked for them again.
  [[nodiscard]] bool devices_incomplete() const { return devices_incomplete_; }

  // The last read needed LVM's report and didn't get it: the group may be as it was.
  [[nodiscard]] bool report_failed() const { return report_failed_; }

 private:
  [[nodiscard]] Result<model::VolumeGroup> read_group(const model::VgAccess& access,
                                                      const std::function<void()>& before_report);
  [[nodiscard]] Result<model::VolumeGroup> read_natively(const model::VgAccess& access,
                                                         metadata::MetadataPtr metadata);
  [[nodiscard]] Result<model::VolumeGroup> read_report(const Error& why);
  // What a report doesn't tell of pools, RAID volumes and mirrors.
  [[nodiscard]] Status ask_kernel(model::VolumeGroup& group);

  std::string volume_group_;
  std::string lvm_path_;
  metadata::MetadataReader metadata_;
  devmapper::DeviceMapper device_mapper_;
  bool devices_incomplete_ = false;
  bool report_failed_ = false;
  bool report_logged_ = false;
};

}  // namespace lvmd::state
