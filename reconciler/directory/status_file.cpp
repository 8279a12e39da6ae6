#include "reconciler/directory/status_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "reconciler/directory/mapping_reader.hpp"
#include "reconciler/directory/snapshot_status_yaml.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::string_view kStatusSuffix = ".status.yaml";

void put_conditions(YAML::Emitter& out, const Conditions& conditions) {
  out << YAML::Key << "conditions" << YAML::Value << YAML::BeginSeq;
  for (const Condition& condition : conditions) {
    out << YAML::BeginMap;
    for (const auto& [field, member] : kConditionTexts) put(out, field, condition.*member);
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
    MappingReader in{node, "status.conditions[]"};
    in.texts(kConditionTexts, conditions.emplace_back());
    if (!in.status()) return std::unexpected(in.status().error());
  }
  return conditions;
}

void put_csi(YAML::Emitter& out, const CsiStatus& csi) {
  put(out, "csiStatus", csi.state);
  put(out, "csiPublications", csi.publications);
  if (!csi.failure) return;
  out << YAML::Key << "csiFailure" << YAML::Value << YAML::BeginMap;
  for (const auto& [field, member] : kCsiFailureTexts) put(out, field, (*csi.failure).*member);
  out << YAML::EndMap;
}

Result<std::optional<CsiStatus>> parse_csi(const YAML::Node& status) {
  MappingReader in{status, "status"};
  CsiStatus csi{.state = in.text("csiStatus")};
  if (!in.status()) return std::unexpected(in.status().error());
  if (csi.state.empty()) return std::nullopt;
  csi.publications = status["csiPublications"].as<std::uint32_t>(0);
  if (const YAML::Node failure = status["csiFailure"]; failure && failure.IsMap()) {
    MappingReader in_failure{failure, "status.csiFailure"};
    in_failure.texts(kCsiFailureTexts, csi.failure.emplace());
    if (!in_failure.status()) return std::unexpected(in_failure.status().error());
  }
  return csi;
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
  if (!status.conditions.empty()) put_conditions(out, status.conditions);
  if (status.snapshot) {
    out << YAML::Key << "snapshot" << YAML::Value;
    emit_snapshot(out, *status.snapshot);
  }
  if (status.csi) put_csi(out, *status.csi);
  out << YAML::EndMap << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<VolumeStatus> parse_status(const std::string& text) {
  const auto document = parse_mapping(text);
  if (!document) return std::unexpected(document.error());
  const YAML::Node node = (*document)["status"];
  if (!node || !node.IsMap()) return fail(Code::kInvalidArgument, "status is not a mapping");
  MappingReader in{node, "status"};
  VolumeStatus status{.volume_id = in.text("volumeID")};
  status.message = in.text("message");
  status.code = in.value<std::uint32_t>("code", "a number");
  if (!in.status()) return std::unexpected(in.status().error());
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
  auto csi = parse_csi(node);
  if (!csi) return std::unexpected(std::move(csi.error()));
  status.csi = std::move(*csi);
  return status;
}

std::string format_folder_status(const FolderStatus& status) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  put(out, "trusted", status.distrust.empty());
  put(out, "reason", status.distrust);
  out << YAML::Key << "files" << YAML::Value;
  if (status.problems.empty()) out << YAML::Flow;
  out << YAML::BeginSeq;
  for (const FileProblem& problem : status.problems) {
    out << YAML::BeginMap;
    put(out, "name", problem.name);
    put(out, "line", problem.line);
    put(out, "code", static_cast<std::uint32_t>(Code::kInvalidArgument));
    put(out, "message", problem.message);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

}  // namespace lvmd::reconciler::directory
