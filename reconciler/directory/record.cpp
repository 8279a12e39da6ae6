#include "reconciler/directory/record.hpp"

#include <fmt/format.h>

#include "reconciler/directory/uuid.hpp"
#include "reconciler/directory/yaml_text.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::string_view kRecordSuffix = ".record.yaml";

Result<bool> bool_field(const YAML::Node& mapping, const std::string& field) {
  const YAML::Node node = mapping[field];
  bool value = false;
  if (!node || !node.IsScalar() || !YAML::convert<bool>::decode(node, value))
    return fail(Code::kInvalidArgument, "{} must be true or false, not {}", field, quote(node));
  return value;
}

Result<std::uint64_t> number_field(const YAML::Node& mapping, const std::string& field) {
  const YAML::Node node = mapping[field];
  std::uint64_t value = 0;
  if (!node || !node.IsScalar() || !YAML::convert<std::uint64_t>::decode(node, value))
    return fail(Code::kInvalidArgument, "{} must be a number, not {}", field, quote(node));
  return value;
}

}  // namespace

std::string record_file_name(const Key& key) {
  return fmt::format("{}_{}{}", to_string(key.group), key.name, kRecordSuffix);
}

std::optional<Key> key_of_record_file(std::string_view name) {
  if (!name.ends_with(kRecordSuffix)) return std::nullopt;
  name.remove_suffix(kRecordSuffix.size());
  const std::size_t separator = name.find('_');
  const auto group = parse_group(name.substr(0, separator));
  if (separator == std::string_view::npos || !group) return std::nullopt;
  Key key{.group = *group, .name = std::string{name.substr(separator + 1)}};
  if (!is_valid_name(key)) return std::nullopt;
  return key;
}

std::string format_record(const Record& record) {
  YAML::Emitter out;
  const auto put = [&out](const char* field, const std::string& text) {
    out << YAML::Key << field << YAML::Value;
    emit_string(out, text);
  };
  out << YAML::BeginMap;
  put("group", std::string{to_string(record.key.group)});
  put("name", record.key.name);
  put("uid", record.uid);
  put("deviceClass", record.device_class);
  out << YAML::Key << "created" << YAML::Value << record.created;
  out << YAML::Key << "removing" << YAML::Value << record.removing;
  if (!record.restore_from.empty()) put("restoreFrom", record.restore_from);
  out << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<Record> parse_record(const Key& key, const std::string& text) {
  if (!is_utf8(text)) return fail(Code::kInvalidArgument, "it is not UTF-8");
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  auto group = string_field(*mapping, "group", "group");
  auto name = string_field(*mapping, "name", "name");
  auto uid = string_field(*mapping, "uid", "uid");
  auto device_class = string_field(*mapping, "deviceClass", "deviceClass");
  auto restore_from = string_field(*mapping, "restoreFrom", "restoreFrom");
  for (const auto* field : {&group, &name, &uid, &device_class, &restore_from})
    if (!*field) return std::unexpected(field->error());
  if (*group != to_string(key.group) || *name != key.name)
    return fail(Code::kInvalidArgument, "this is the record of {}/{}", *group, *name);
  if (!is_uuid(*uid)) return fail(Code::kInvalidArgument, "uid \"{}\" is not a UUID", *uid);
  if (!(*mapping)["deviceClass"]) return fail(Code::kInvalidArgument, "deviceClass is missing");
  const auto created = bool_field(*mapping, "created");
  if (!created) return std::unexpected(created.error());
  const auto removing = bool_field(*mapping, "removing");
  if (!removing) return std::unexpected(removing.error());
  return Record{.key = key,
                .uid = std::move(*uid),
                .device_class = std::move(*device_class),
                .created = *created,
                .removing = *removing,
                .restore_from = std::move(*restore_from)};
}

std::string format_owner_record(const OwnerRecord& record) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "id" << YAML::Value;
  emit_string(out, record.id);
  out << YAML::Key << "node" << YAML::Value;
  emit_string(out, record.node);
  out << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<OwnerRecord> parse_owner_record(const std::string& text) {
  if (!is_utf8(text)) return fail(Code::kInvalidArgument, "it is not UTF-8");
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  auto id = string_field(*mapping, "id", "id");
  if (!id) return std::unexpected(std::move(id.error()));
  auto node = string_field(*mapping, "node", "node");
  if (!node) return std::unexpected(std::move(node.error()));
  if (!is_uuid(*id)) return fail(Code::kInvalidArgument, "id \"{}\" is not a UUID", *id);
  return OwnerRecord{.id = std::move(*id), .node = std::move(*node)};
}

std::string format_folder_record(const FolderIdentity& identity) {
  std::string text = fmt::format("device: {}\ninode: {}\n", identity.device, identity.inode);
  if (identity.born != 0) text += fmt::format("born: {}\n", identity.born);
  return text;
}

Result<FolderIdentity> parse_folder_record(const std::string& text) {
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  const auto device = number_field(*mapping, "device");
  if (!device) return std::unexpected(device.error());
  const auto inode = number_field(*mapping, "inode");
  if (!inode) return std::unexpected(inode.error());
  FolderIdentity identity{.device = *device, .inode = *inode};
  if ((*mapping)["born"]) {
    const auto born = number_field(*mapping, "born");
    if (!born) return std::unexpected(born.error());
    identity.born = *born;
  }
  return identity;
}

}  // namespace lvmd::reconciler::directory
