// The operations of a mover. Each runs in the sandbox; no mount of its own is left when it
// returns.
#pragma once

#include "internal/transfer.pb.h"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/record_writer.hpp"
#include "lvmd/transfers/mover/restic.hpp"
#include "lvmd/transfers/mover/volume.hpp"

namespace lvmd::transfers::mover {

struct Task {
  const internal::MoverJob& job;
  Restic& restic;
  // Of a backup or a restore.
  const Volume& volume;
  const Contents& contents;

  [[nodiscard]] Supervision& supervision() const { return restic.supervision(); }
  [[nodiscard]] RecordWriter& record() const { return restic.supervision().record(); }
  [[nodiscard]] v1::Transfer& transfer() const { return record().transfer(); }
};

// [P-XFER-7, P-XFER-8]
[[nodiscard]] StepResult<void> back_up(const Task& task);
// [P-XFER-9]
[[nodiscard]] StepResult<void> restore(const Task& task);
// [P-XFER-11]
[[nodiscard]] StepResult<void> delete_backup(const Task& task);
// [P-XFER-20]
[[nodiscard]] StepResult<void> check_store(const Task& task);

// The status lines of a backup or restore into the record.
[[nodiscard]] std::optional<TransferFailure> take_status(const Task& task, const StatusMessage& status);

// Everything of that snapshot is read from the repository; restic checks the hashes [P-XFER-10].
[[nodiscard]] StepResult<void> verify_stored(const Task& task, const Snapshot& snapshot);

// The volume's files against the snapshot: type, owner, mode, size and time [P-XFER-10].
[[nodiscard]] StepResult<void> compare_metadata(const Task& task, const std::string& snapshot_id);

// The blocks of a device: to the repository, from it with the check of what was written.
[[nodiscard]] StepResult<Snapshot> store_blocks(const Task& task, const SnapshotTags& tags);
[[nodiscard]] StepResult<void> restore_blocks(const Task& task, const std::string& snapshot_id);

}  // namespace lvmd::transfers::mover
