// Reads the state of one volume group: LVM's committed metadata and the state of device-mapper.
//
// Read-only. Reads the metadata directly from the disks. If LVM's transaction id of a thin pool
// differs from the kernel's, it reads the metadata again, because LVM may have committed between
// the two readings. For a layout that the direct reader does not support, it runs LVM's report in a
// child process with a time limit, and logs this once.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/metadata/metadata_reader.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// The time limit of LVM's report.
inline constexpr std::chrono::seconds kReportLimit{30};

// Not thread-safe.
class VgReader {
 public:
  // `lvm_path` is the lvm program for the report. One reader per group should verify all copies of
  // the metadata. Readers that must be fast trust them.
  VgReader(std::string volume_group, std::string lvm_path,
           metadata::Copies copies = metadata::Copies::kTrust);

  // Reads the group from the devices in `access`. If that fails, the state contains Unavailable
  // with the reason. Fast as long as the metadata's headers do not change. Calls `before_report`
  // before it runs LVM's report, for which it can block up to kReportLimit.
  [[nodiscard]] model::VgState read(const model::VgAccess& access,
                                    const std::function<void()>& before_report = {});

  // As in MetadataReader. After a read from LVM's report, there is no text.
  void keep_text() { metadata_.keep_text(); }
  [[nodiscard]] const std::shared_ptr<const std::string>& text() const { return metadata_.text(); }

  // Call it after a write to the group's devices: the next read verifies the copies.
  void doubt_copies() { metadata_.doubt(); }

  // Call it if LVM no longer finds the group. Reads the group's former devices `before`. If they
  // contain another group, the group was probably renamed: adds the new name and the remedy to
  // `error`.
  void look_for_new_name(const model::VgAccess& before, Error& error);

  // True if a PV of the group was on none of the devices at the last read. The caller should query
  // LVM's devices again.
  [[nodiscard]] bool devices_incomplete() const { return devices_incomplete_; }

  // True if LVM's report failed at the last read. The group may be unchanged.
  [[nodiscard]] bool report_failed() const { return report_failed_; }

 private:
  [[nodiscard]] Result<model::VolumeGroup> read_group(const model::VgAccess& access,
                                                      const std::function<void()>& before_report);
  [[nodiscard]] Result<model::VolumeGroup> read_natively(const model::VgAccess& access,
                                                         metadata::MetadataPtr metadata);
  [[nodiscard]] Result<model::VolumeGroup> read_report(const Error& why);
  // Adds the state of pools, RAID volumes and mirrors that the report does not contain.
  [[nodiscard]] Status add_kernel_state(model::VolumeGroup& group);

  std::string volume_group_;
  std::string lvm_path_;
  metadata::MetadataReader metadata_;
  devmapper::DeviceMapper device_mapper_;
  bool devices_incomplete_ = false;
  bool report_failed_ = false;
  bool report_logged_ = false;
};

}  // namespace lvmd::state
