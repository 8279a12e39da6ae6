#include "reconciler/directory/record.hpp"

#include <fmt/format.h>

#include "reconciler/directory/mapping_reader.hpp"
#include "reconciler/directory/yaml_text.hpp"
#include "reconciler/model/uuid.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::string_view kRecordSuffix = ".record.yaml";

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
  out << YAML::BeginMap;
  put(out, "group", std::string{to_string(record.key.group)});
  put(out, "name", record.key.name);
  put(out, "uid", record.uid);
  put(out, "deviceClass", record.device_class);
  put(out, "created", record.created);
  put(out, "removing", record.removing);
  if (!record.restore_from.empty()) put(out, "restoreFrom", record.restore_from);
  out << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<Record> parse_record(const Key& key, const std::string& text) {
  if (!is_utf8(text)) return fail(Code::kInvalidArgument, "it is not UTF-8");
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  MappingReader in{*mapping};
  const std::string group = in.text("group");
  const std::string name = in.text("name");
  Record record{.key = key,
                .uid = in.text("uid"),
                .device_class = in.text("deviceClass"),
                .restore_from = in.text("restoreFrom")};
  if (group != to_string(key.group) || name != key.name)
    in.blame("this is the record of {}/{}", group, name);
  if (!is_uuid(record.uid)) in.blame("uid \"{}\" is not a UUID", record.uid);
  if (!(*mapping)["deviceClass"]) in.blame("deviceClass is missing");
  record.created = in.value<bool>("created", "true or false");
  record.removing = in.value<bool>("removing", "true or false");
  return in.result(std::move(record));
}

std::string format_owner_record(const OwnerRecord& record) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  put(out, "id", record.id);
  put(out, "node", record.node);
  out << YAML::EndMap << YAML::Newline;
  return out.c_str();
}

Result<OwnerRecord> parse_owner_record(const std::string& text) {
  if (!is_utf8(text)) return fail(Code::kInvalidArgument, "it is not UTF-8");
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  MappingReader in{*mapping};
  OwnerRecord record{.id = in.text("id"), .node = in.text("node")};
  if (!is_uuid(record.id)) in.blame("id \"{}\" is not a UUID", record.id);
  return in.result(std::move(record));
}

std::string format_folder_record(const FolderIdentity& identity) {
  std::string text = fmt::format("device: {}\ninode: {}\n", identity.device, identity.inode);
  if (identity.born != 0) text += fmt::format("born: {}\n", identity.born);
  return text;
}

Result<FolderIdentity> parse_folder_record(const std::string& text) {
  const auto mapping = parse_mapping(text);
  if (!mapping) return std::unexpected(mapping.error());
  MappingReader in{*mapping};
  const auto number = [&in](const char* field) {
    return in.value<std::uint64_t>(field, "a number");
  };
  FolderIdentity identity{.device = number("device"), .inode = number("inode")};
  if ((*mapping)["born"]) identity.born = number("born");
  return in.result(identity);
}

}  // namespace lvmd::reconciler::directory
