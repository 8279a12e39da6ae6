#include "reconciler/kube/snapshot_status_json.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "reconciler/kube/json_member.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

std::uint64_t count_member(const json& object, const char* name) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(integer_member(object, name), 0));
}

json to_json(const std::optional<TransferProgress>& progress) {
  if (!progress) return {};
  return {{"totalBytes", progress->total_bytes},
          {"bytesDone", progress->done_bytes},
          {"percentage", percentage_of(*progress)}};
}

json to_json(const std::optional<TransferError>& error) {
  if (!error) return {};
  return {{"code", error->code},
          {"reason", text_or_null(error->reason)},
          {"message", error->message},
          {"transient", error->transient}};
}

}  // namespace

std::optional<SnapshotStatus> snapshot_status_from(const json& object) {
  const std::string phase_text = string_member(object, "phase");
  const auto operation = parse_operation(string_member(object, "operation"));
  const auto phase = parse_snapshot_phase(phase_text);
  const bool is_known = operation && phase;
  if (!is_known && phase_text.empty()) return std::nullopt;
  SnapshotStatus snapshot{
      .operation = operation.value_or(Operation::kBackup),
      // "Completed" is another operator's name for Succeeded. It has other names for Running.
      .phase = phase.value_or(phase_text == "Completed" ? SnapshotPhase::kSucceeded
                                                        : SnapshotPhase::kRunning),
      .start_time = string_member(object, "startTime"),
      .completion_time = string_member(object, "completionTime"),
      .duration = string_member(object, "duration"),
      .message = string_member(object, "message"),
      .repository = string_member(object, "repository"),
      .storage = {.namespace_name = string_member(member(object, "storage"), "namespace"),
                  .name = string_member(member(object, "storage"), "name")},
      .snapshot_id = string_member(object, "snapshotID"),
      .backup_id = string_member(object, "backupID"),
      // A status that is not understood completely belongs to another operator [R-ONLINE-13].
      .version = is_known ? string_member(object, "version") : std::string{},
      .attempts = static_cast<std::uint32_t>(count_member(object, "attempts")),
      .retry_requested_at = string_member(object, "retryRequestedAt")};
  if (const json& progress = member(object, "progress"); progress.is_object())
    snapshot.progress = TransferProgress{.total_bytes = count_member(progress, "totalBytes"),
                                         .done_bytes = count_member(progress, "bytesDone")};
  if (const json& error = member(object, "error"); error.is_object())
    snapshot.error = TransferError{.code = string_member(error, "code"),
                                   .reason = string_member(error, "reason"),
                                   .message = string_member(error, "message"),
                                   .transient = bool_member(error, "transient")};
  return snapshot;
}

json to_json(const std::optional<SnapshotStatus>& snapshot) {
  if (!snapshot) return {};
  const json storage =
      snapshot->storage.is_empty()
          ? json{}
          : json{{"namespace", snapshot->storage.namespace_name}, {"name", snapshot->storage.name}};
  return {{"operation", to_string(snapshot->operation)},
          {"phase", to_string(snapshot->phase)},
          {"startTime", text_or_null(snapshot->start_time)},
          {"completionTime", text_or_null(snapshot->completion_time)},
          {"duration", text_or_null(snapshot->duration)},
          {"progress", to_json(snapshot->progress)},
          {"message", text_or_null(snapshot->message)},
          {"error", to_json(snapshot->error)},
          {"repository", text_or_null(snapshot->repository)},
          {"storage", storage},
          {"snapshotID", text_or_null(snapshot->snapshot_id)},
          {"backupID", text_or_null(snapshot->backup_id)},
          {"version", text_or_null(snapshot->version)},
          {"attempts", snapshot->attempts},
          {"retryRequestedAt", text_or_null(snapshot->retry_requested_at)}};
}

}  // namespace lvmd::reconciler::kube
