// Records of transfers, and processes that hold their locks.
#pragma once

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {

// A folder with records.
class RecordFolder {
 public:
  RecordFolder() {
    path_ = (std::filesystem::temp_directory_path() / "lvmd-unit-XXXXXX").string();
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;
  ~RecordFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  void write(const internal::TransferRecord& record) const {
    REQUIRE(transfers::write_record(path_, record));
  }

 private:
  std::string path_;
};

// A process that holds a transfer's lock until its end.
class LockHolder {
 public:
  LockHolder(const RecordFolder& folder, const transfers::TransferKey& key) {
    const auto lock = transfers::RecordLock::take(folder.path(), key);
    REQUIRE(lock);
    // The lock belongs to the open file description, which the child shares.
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::pause();
  }
  LockHolder(const LockHolder&) = delete;
  LockHolder& operator=(const LockHolder&) = delete;
  ~LockHolder() { die(); }

  void die() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

inline const transfers::TransferKey kBackup{.operation = v1::OPERATION_BACKUP, .id = "b"};

// The record of a backup of vg0/snap. Ended ones have all fields that they must have.
inline internal::TransferRecord sample_transfer_record(v1::Phase phase, transfers::Time begun,
                                                       const std::string& id = "b") {
  internal::MoverJob job;
  job.set_operation(v1::OPERATION_BACKUP);
  job.set_id(id);
  job.mutable_device()->set_volume_group("vg0");
  job.mutable_device()->set_name("snap");
  job.set_attempt(1);
  internal::TransferRecord record = transfers::new_record(job, begun);
  v1::Transfer& transfer = *record.mutable_transfer();
  transfer.set_phase(phase);
  if (transfers::has_ended(phase))
    *transfer.mutable_completion_time() = transfers::to_timestamp(begun);
  if (phase == v1::PHASE_FAILED) transfer.mutable_error()->set_code("SnapshotExecutionFailed");
  return record;
}

}  // namespace lvmd::transfers
