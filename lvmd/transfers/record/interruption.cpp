#include "lvmd/transfers/record/interruption.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {
namespace {

std::string_view execution_failed(v1::Operation operation) {
  if (operation == v1::OPERATION_RESTORE) return "RestoreExecutionFailed";
  if (operation == v1::OPERATION_DELETE) return "DeleteExecutionFailed";
  if (operation == v1::OPERATION_CHECK) return "CheckExecutionFailed";
  return "SnapshotExecutionFailed";
}

}  // namespace

internal::TransferRecord interrupted(internal::TransferRecord record, Time now) {
  v1::Transfer& transfer = *record.mutable_transfer();
  if (has_ended(transfer.phase())) return record;
  transfer.set_phase(v1::PHASE_FAILED);
  *transfer.mutable_completion_time() = to_timestamp(now);
  v1::TransferError& error = *transfer.mutable_error();
  error.set_code(std::string{execution_failed(transfer.operation())});
  error.set_reason("Interrupted");
  error.set_message(fmt::format("the mover of this {} ended before it was done: start it again",
                                operation_name(transfer.operation())));
  error.set_transient(true);
  return record;
}

Result<bool> settle_interrupted(const std::filesystem::path& directory, const TransferKey& key,
                                Time now) {
  const auto lock = RecordLock::take(directory, key);
  if (!lock && lock.error().code == Code::kFailedPrecondition) return false;
  if (!lock) return std::unexpected(lock.error());
  auto record = read_record(directory, key);
  if (!record) return std::unexpected(record.error());
  if (has_ended(record->transfer().phase())) return false;
  if (auto written = write_record(directory, interrupted(*std::move(record), now)); !written)
    return std::unexpected(written.error());
  return true;
}

}  // namespace lvmd::transfers
