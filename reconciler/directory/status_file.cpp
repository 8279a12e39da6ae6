#include "reconciler/directory/status_file.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "reconciler/directory/snapshot_status_yaml.hpp"
#include "reconciler/directory/yaml_text.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::string_view kStatusSuffix = ".status.yaml";

void put(YAML::Emitter& out, const char* field, const std::string& text) {
  out << YAML::Key << field << YAML::Value;
  emit_string(out, text);
}

void put(YAML::Emitter& out, const char* field, std::uint32_t number) {
  out << YAML::Key << field << YAML::Value << number;
}

constexpr std::array<std::pair<const char*, std::string Condition::*>, 5> kConditionFields{{
    {"type", &Condition::type},
    {"status", &Condition::status},
    {"reason", &Condition::reason},
    {"message", &Condition::message},
    {"lastTransitionTime", &Condition::last_transition_time},
}};

void put(YAML::Emitter& out, const Conditions& conditions) {
  out << YAML::Key << "conditions" << YAML::Value << YAML::BeginSeq;
  for (const Condition& condition : conditions) {
    out << YAML::BeginMap;
    for (const auto& [field, member] : kConditionFields) put(out, field, condition.*member);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

Result<Conditions> parse_conditions(const YAML::Node& list) {
  Conditions conditions;
  if (!list) return conditions;
  if (!list.IsSequence()) return fail(Code::kInvalidArgument, "status.conditions is not a list");
  for (const YAML::Node& node : list) {
    if (!node.IsMap()) return fail(Code::kInvalidArgument, "a condition is not a mapping");
    Condition& condition = conditions.emplace_back();
    for (const auto& [field, member] : kConditionFields) {
      auto text = string_field(node, field, fmt::format("status.conditions[].{}", field));
      if (!text) return std::unexpected(std::move(text.error()));
      condition.*member = std::move(*text);
    }
  }
  return conditions;
}

}  // namespace

std::string status_file_name(const Key& key) {
  if (key.group == Group::kTopolvm) return fmt::format("{}{}", key.name, kStatusSuffix);
  return fmt::format("{}.{}{}", to_string(key.group), key.name, kStatusSuffix);
}

std::optional<Key> key_of_status_file(std::string_view name) {
  if (!name.ends_with(kStatusSuffix)) return std::nullopt;
  name.remove_suffix(kStatusSuffix.size());
  Key key{.group = Group::kTopolvm, .name = std::string{name}};
  if (const std::string prefix = fmt::format("{}.", to_string(Group::kLegacy));
      name.starts_with(prefix))
    key = {.group = Group::kLegacy, .name = std::string{name.substr(prefix.size())}};
  if (!is_valid_name(key)) return std::nullopt;
  return key;
}

std::string format_status(const Key& key, const std::string& uid, const VolumeStatus& status) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  put(out, "apiVersion", fmt::format("{}/{}", to_string(key.group), kVersion));
  put(out, "kind", std::string{kKind});
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  put(out, "name", key.name);
  put(out, "uid", uid);
  out << YAML::EndMap;
  out << YAML::Key << "status" << YAML::Value << YAML::BeginMap;
  put(out, "volumeID", status.volume_id);
  put(out, "code", status.code);
  put(out, "message", status.message);
  if (status.current_size) put(out, "currentSize", format_quantity(*status.current_size));
  if (!status.conditions.empty()) put(out, status.conditions);
  if (status.snapshot) {
    out << YAML::Key << "snapshot" << YAML::Value;
    emit_snapshot(out, *status.snapshot);
  }
  out << YAML::EndMap << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<VolumeStatus> parse_status(const std::string& text) {
  const auto document = parse_mapping(text);
  if (!document) return std::unexpected(document.error());
  const YAML::Node node = (*document)["status"];
  if (!node || !node.IsMap()) return fail(Code::kInvalidArgument, "status is not a mapping");
  auto volume_id = string_field(node, "volumeID", "status.volumeID");
  if (!volume_id) return std::unexpected(std::move(volume_id.error()));
  auto message = string_field(node, "message", "status.message");
  if (!message) return std::unexpected(std::move(message.error()));
  VolumeStatus status{.volume_id = std::move(*volume_id), .message = std::move(*message)};
  const YAML::Node code = node["code"];
  if (!code || !code.IsScalar() || !YAML::convert<std::uint32_t>::decode(code, status.code))
    return fail(Code::kInvalidArgument, "status.code must be a number, not {}", quote(code));
  if (const YAML::Node size = node["currentSize"]; size && size.IsScalar()) {
    const auto bytes = parse_quantity(size.Scalar());
    if (!bytes) return std::unexpected(bytes.error());
    status.current_size = *bytes;
  }
  auto conditions = parse_conditions(node["conditions"]);
  if (!conditions) return std::unexpected(std::move(conditions.error()));
  status.conditions = std::move(*conditions);
  auto snapshot = parse_snapshot(node["snapshot"]);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  status.snapshot = std::move(*snapshot);
  return status;
}

std::string format_folder_status(const FolderStatus& status) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "trusted" << YAML::Value << status.distrust.empty();
  put(out, "reason", status.distrust);
  out << YAML::Key << "files" << YAML::Value;
  if (status.problems.empty()) out << YAML::Flow;
  out << YAML::BeginSeq;
  for (const FileProblem& problem : status.problems) {
    out << YAML::BeginMap;
    put(out, "name", problem.name);
    put(out, "line", static_cast<std::uint32_t>(problem.line));
    put(out, "code", static_cast<std::uint32_t>(Code::kInvalidArgument));
    put(out, "message", problem.message);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

}  // namespace lvmd::reconciler::directory
