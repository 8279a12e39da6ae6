// A job as the server sends it.
#pragma once

#include <string>

#include "internal/transfer.pb.h"

namespace lvmd::transfers {

inline constexpr const char* kSecret = "a-secret-that-is-nowhere";
inline constexpr const char* kSnapUuid = "LVM-groupgroupgroupgroupgroupgroupgrsnapsnap";

// A backup of vg-0/snap, device 253:7, to an S3 bucket. Without settings.
inline internal::MoverJob sample_backup(const std::string& id = "backup-1") {
  internal::MoverJob job;
  job.set_operation(v1::OPERATION_BACKUP);
  job.set_id(id);
  internal::VolumeDevice& device = *job.mutable_device();
  device.set_volume_group("vg-0");
  device.set_name("snap");
  device.set_major(253);
  device.set_minor(7);
  device.set_uuid(kSnapUuid);
  job.mutable_repository()->set_location("s3:https://storage.example/bucket");
  job.mutable_credentials()->set_password(kSecret);
  job.mutable_credentials()->set_access_key_id("key");
  job.mutable_credentials()->set_secret_access_key(kSecret);
  return job;
}

// A job for the same bucket.
inline internal::MoverJob sample_check(const std::string& id = "check-1") {
  internal::MoverJob job = sample_backup(id);
  job.set_operation(v1::OPERATION_CHECK);
  job.clear_device();
  return job;
}

}  // namespace lvmd::transfers
