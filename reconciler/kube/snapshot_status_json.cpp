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
  json object{{"transient", error->transient}};
  for (const auto& [name, member] : kErrorTexts) object[name] = (*error).*member;
  object["reason"] = text_or_null(error->reason);
  return object;
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
      .storage = {.namespace_name = string_member(member(object, "storage"), "namespace"),
                  .name = string_member(member(object, "storage"), "name")},
      .attempts = static_cast<std::uint32_t>(count_member(object, "attempts"))};
  read_texts(object, kSnapshotTexts, snapshot);
  // A status that is not understood completely belongs to another operator [R-ONLINE-13].
  if (!is_known) snapshot.version.clear();
  if (const json& progress = member(object, "progress"); progress.is_object())
    snapshot.progress = TransferProgress{.total_bytes = count_member(progress, "totalBytes"),
                                         .done_bytes = count_member(progress, "bytesDone")};
  if (const json& error = member(object, "error"); error.is_object()) {
    snapshot.error = TransferError{.transient = bool_member(error, "transient")};
    read_texts(error, kErrorTexts, *snapshot.error);
  }
  return snapshot;
}

json to_json(const std::optional<SnapshotStatus>& snapshot) {
  if (!snapshot) return {};
  json object{{"operation", to_string(snapshot->operation)},
              {"phase", to_string(snapshot->phase)},
              {"progress", to_json(snapshot->progress)},
              {"error", to_json(snapshot->error)},
              {"storage", nullptr},
              {"attempts", snapshot->attempts}};
  for (const auto& [name, member] : kSnapshotTexts)
    object[name] = text_or_null((*snapshot).*member);
  if (const LocationName& storage = snapshot->storage; !storage.is_empty())
    object["storage"] = {{"namespace", storage.namespace_name}, {"name", storage.name}};
  return object;
}

}  // namespace lvmd::reconciler::kube
