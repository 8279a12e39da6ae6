#include "reconciler/directory/snapshot_status_yaml.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "reconciler/directory/mapping_reader.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr TextFields<LocationName, 2> kStorageTexts{{
    {"passwordFile", &LocationName::name},
    {"credentialsFile", &LocationName::namespace_name},
}};

// The fields that are set.
template <typename T, std::size_t kSize>
void put_texts(YAML::Emitter& out, const TextFields<T, kSize>& fields, const T& value) {
  for (const auto& [field, member] : fields)
    if (const std::string& text = value.*member; !text.empty()) put(out, field, text);
}

}  // namespace

void emit_snapshot(YAML::Emitter& out, const SnapshotStatus& snapshot) {
  out << YAML::BeginMap;
  put(out, "operation", std::string{to_string(snapshot.operation)});
  put(out, "phase", std::string{to_string(snapshot.phase)});
  put_texts(out, kSnapshotTexts, snapshot);
  put_texts(out, kStorageTexts, snapshot.storage);
  put(out, "attempts", snapshot.attempts);
  if (const auto& progress = snapshot.progress) {
    out << YAML::Key << "progress" << YAML::Value << YAML::BeginMap;
    put(out, "totalBytes", progress->total_bytes);
    put(out, "bytesDone", progress->done_bytes);
    put(out, "percentage", percentage_of(*progress));
    out << YAML::EndMap;
  }
  if (const auto& error = snapshot.error) {
    out << YAML::Key << "error" << YAML::Value << YAML::BeginMap;
    put_texts(out, kErrorTexts, *error);
    put(out, "transient", error->transient);
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
}

Result<std::optional<SnapshotStatus>> parse_snapshot(const YAML::Node& node) {
  if (!node || node.IsNull()) return std::nullopt;
  if (!node.IsMap()) return fail(Code::kInvalidArgument, "status.snapshot is not a mapping");
  MappingReader in{node, "status.snapshot"};
  const std::string operation = in.text("operation");
  const std::string phase = in.text("phase");
  const auto known_operation = parse_operation(operation);
  const auto known_phase = parse_snapshot_phase(phase);
  if (!known_operation || !known_phase)
    in.blame("status.snapshot is \"{}\" \"{}\"", operation, phase);
  SnapshotStatus snapshot{.operation = known_operation.value_or(Operation::kBackup),
                          .phase = known_phase.value_or(SnapshotPhase::kPending)};
  in.texts(kSnapshotTexts, snapshot);
  in.texts(kStorageTexts, snapshot.storage);
  if (!in.status()) return std::unexpected(in.status().error());
  snapshot.attempts = node["attempts"].as<std::uint32_t>(0);
  if (const YAML::Node progress = node["progress"]; progress && progress.IsMap())
    snapshot.progress = TransferProgress{.total_bytes = progress["totalBytes"].as<std::uint64_t>(0),
                                         .done_bytes = progress["bytesDone"].as<std::uint64_t>(0)};
  if (const YAML::Node error = node["error"]; error && error.IsMap()) {
    MappingReader in_error{error, "status.snapshot"};
    snapshot.error.emplace().transient = error["transient"].as<bool>(false);
    in_error.texts(kErrorTexts, *snapshot.error);
    if (!in_error.status()) return std::unexpected(in_error.status().error());
  }
  return snapshot;
}

}  // namespace lvmd::reconciler::directory
