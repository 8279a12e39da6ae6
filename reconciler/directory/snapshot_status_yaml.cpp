#include "reconciler/directory/snapshot_status_yaml.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "reconciler/directory/yaml_text.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::array<std::pair<const char*, std::string SnapshotStatus::*>, 9> kTexts{{
    {"startTime", &SnapshotStatus::start_time},
    {"completionTime", &SnapshotStatus::completion_time},
    {"duration", &SnapshotStatus::duration},
    {"message", &SnapshotStatus::message},
    {"repository", &SnapshotStatus::repository},
    {"snapshotID", &SnapshotStatus::snapshot_id},
    {"backupID", &SnapshotStatus::backup_id},
    {"version", &SnapshotStatus::version},
    {"retryRequestedAt", &SnapshotStatus::retry_requested_at},
}};

constexpr std::array<std::pair<const char*, std::string LocationName::*>, 2> kStorageTexts{{
    {"passwordFile", &LocationName::name},
    {"credentialsFile", &LocationName::namespace_name},
}};

constexpr std::array<std::pair<const char*, std::string TransferError::*>, 3> kErrorTexts{{
    {"code", &TransferError::code},
    {"reason", &TransferError::reason},
    {"message", &TransferError::message},
}};

void put_if_any(YAML::Emitter& out, const char* field, const std::string& text) {
  if (text.empty()) return;
  out << YAML::Key << field << YAML::Value;
  emit_string(out, text);
}

template <typename Number>
void put_number(YAML::Emitter& out, const char* field, Number number) {
  out << YAML::Key << field << YAML::Value << number;
}

template <typename T, typename Table>
Status read_texts(const YAML::Node& node, const Table& table, T& out) {
  for (const auto& [field, member] : table) {
    auto text = string_field(node, field, fmt::format("status.snapshot.{}", field));
    if (!text) return std::unexpected(std::move(text.error()));
    out.*member = std::move(*text);
  }
  return {};
}

// 0 when the field is absent.
template <typename Number>
Number number_of(const YAML::Node& mapping, const char* field) {
  const YAML::Node node = mapping[field];
  Number number = 0;
  if (!node || !node.IsScalar() || !YAML::convert<Number>::decode(node, number)) return 0;
  return number;
}

bool flag_of(const YAML::Node& mapping, const char* field) {
  const YAML::Node node = mapping[field];
  bool value = false;
  return node && node.IsScalar() && YAML::convert<bool>::decode(node, value) && value;
}

}  // namespace

void emit_snapshot(YAML::Emitter& out, const SnapshotStatus& snapshot) {
  out << YAML::BeginMap;
  put_if_any(out, "operation", std::string{to_string(snapshot.operation)});
  put_if_any(out, "phase", std::string{to_string(snapshot.phase)});
  for (const auto& [field, member] : kTexts) put_if_any(out, field, snapshot.*member);
  for (const auto& [field, member] : kStorageTexts)
    put_if_any(out, field, snapshot.storage.*member);
  put_number(out, "attempts", snapshot.attempts);
  if (const auto& progress = snapshot.progress) {
    out << YAML::Key << "progress" << YAML::Value << YAML::BeginMap;
    put_number(out, "totalBytes", progress->total_bytes);
    put_number(out, "bytesDone", progress->done_bytes);
    put_number(out, "percentage", percentage_of(*progress));
    out << YAML::EndMap;
  }
  if (const auto& error = snapshot.error) {
    out << YAML::Key << "error" << YAML::Value << YAML::BeginMap;
    for (const auto& [field, member] : kErrorTexts) put_if_any(out, field, (*error).*member);
    out << YAML::Key << "transient" << YAML::Value << error->transient;
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
}

Result<std::optional<SnapshotStatus>> parse_snapshot(const YAML::Node& node) {
  if (!node || node.IsNull()) return std::nullopt;
  if (!node.IsMap()) return fail(Code::kInvalidArgument, "status.snapshot is not a mapping");
  const auto operation = string_field(node, "operation", "status.snapshot.operation");
  if (!operation) return std::unexpected(operation.error());
  const auto phase = string_field(node, "phase", "status.snapshot.phase");
  if (!phase) return std::unexpected(phase.error());
  const auto known_operation = parse_operation(*operation);
  const auto known_phase = parse_snapshot_phase(*phase);
  if (!known_operation || !known_phase)
    return fail(Code::kInvalidArgument, "status.snapshot is \"{}\" \"{}\"", *operation, *phase);
  SnapshotStatus snapshot{.operation = *known_operation, .phase = *known_phase};
  if (auto texts = read_texts(node, kTexts, snapshot); !texts)
    return std::unexpected(std::move(texts.error()));
  if (auto texts = read_texts(node, kStorageTexts, snapshot.storage); !texts)
    return std::unexpected(std::move(texts.error()));
  snapshot.attempts = number_of<std::uint32_t>(node, "attempts");
  if (const YAML::Node progress = node["progress"]; progress && progress.IsMap())
    snapshot.progress =
        TransferProgress{.total_bytes = number_of<std::uint64_t>(progress, "totalBytes"),
                         .done_bytes = number_of<std::uint64_t>(progress, "bytesDone")};
  if (const YAML::Node error = node["error"]; error && error.IsMap()) {
    TransferError reported{.transient = flag_of(error, "transient")};
    if (auto texts = read_texts(error, kErrorTexts, reported); !texts)
      return std::unexpected(std::move(texts.error()));
    snapshot.error = std::move(reported);
  }
  return snapshot;
}

}  // namespace lvmd::reconciler::directory
