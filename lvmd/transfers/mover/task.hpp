// The operations of a mover. They run in the sandbox and leave no mount behind.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/transfers/mover/record_writer.hpp"
#include "lvmd/transfers/mover/restic.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/volume.hpp"

namespace lvmd::transfers::mover {

// What an operation works on.
struct Task {
  const internal::MoverJob& job;
  Restic& restic;
  // Set for a backup or a restore.
  const Volume& volume;
  const Contents& contents;

  [[nodiscard]] Supervision& supervision() const { return restic.supervision(); }
  [[nodiscard]] RecordWriter& record() const { return restic.supervision().record(); }
  [[nodiscard]] v1::Transfer& transfer() const { return record().transfer(); }
};

// Backs the volume up [P-XFER-7, P-XFER-8].
[[nodiscard]] StepResult<void> back_up(const Task& task);
// Restores a backup onto the volume [P-XFER-9].
[[nodiscard]] StepResult<void> restore(const Task& task);
// Deletes a backup [P-XFER-11].
[[nodiscard]] StepResult<void> delete_backup(const Task& task);
// Checks the store and the repository [P-XFER-20].
[[nodiscard]] StepResult<void> check_store(const Task& task);

// Copies the status of a running backup or restore into the record. Never returns a failure.
[[nodiscard]] std::optional<TransferFailure> take_status(const Task& task,
                                                         const StatusMessage& status);

// Verifies a snapshot: reads all of its data from the repository, and restic compares the hashes
// [P-XFER-10].
[[nodiscard]] StepResult<void> verify_stored(const Task& task, const Snapshot& snapshot);

// Store the blocks of the device in the repository; restore them from it and verify the written
// data.
[[nodiscard]] StepResult<Snapshot> store_blocks(const Task& task, const SnapshotTags& tags);
[[nodiscard]] StepResult<void> restore_blocks(const Task& task, const std::string& snapshot_id);

}  // namespace lvmd::transfers::mover
