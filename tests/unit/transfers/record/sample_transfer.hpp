// Jobs and records for the tests of the modules below lvmd/transfers.
#pragma once

#include <chrono>
#include <string>

#include "lvmd/ipc/version.hpp"
#include "lvmd/transfers/record/job.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

inline internal::MoverJob sample_job(v1::Operation operation = v1::OPERATION_BACKUP,
                                     const std::string& id = "a") {
  internal::MoverJob job;
  job.set_operation(operation);
  job.set_id(id);
  if (needs_volume(operation)) {
    job.mutable_device()->set_volume_group("vg0");
    job.mutable_device()->set_name("snap-1");
    job.mutable_device()->set_major(253);
    job.mutable_device()->set_minor(7);
  }
  job.mutable_repository()->set_location("rest:https://store.example:8000/node1/");
  job.mutable_credentials()->set_password("open sesame");
  job.mutable_credentials()->set_rest_user("node1");
  job.mutable_credentials()->set_rest_password("p@ss/word");
  if (operation == v1::OPERATION_RESTORE || operation == v1::OPERATION_DELETE)
    job.set_backup_id("b");
  job.set_attempt(1);
  internal::MoverSettings& settings = *job.mutable_settings();
  settings.set_restic_path("/usr/bin/restic");
  settings.set_record_directory("/run/lvmd/transfers");
  settings.set_version(std::string{ipc::version()});
  settings.set_cache_directory("/var/cache/lvmd");
  settings.set_stall_seconds(600);
  return job;
}

inline Time sample_time(std::chrono::seconds since_epoch) { return Time{since_epoch}; }

inline internal::TransferRecord sample_record(v1::Phase phase, Time at,
                                              v1::Operation operation = v1::OPERATION_BACKUP,
                                              const std::string& id = "a") {
  internal::TransferRecord record = new_record(sample_job(operation, id), at);
  record.mutable_transfer()->set_phase(phase);
  if (has_ended(phase)) *record.mutable_transfer()->mutable_completion_time() = to_timestamp(at);
  if (phase == v1::PHASE_FAILED) record.mutable_transfer()->mutable_error()->set_code("X");
  return record;
}

}  // namespace lvmd::transfers
