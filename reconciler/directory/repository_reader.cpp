#include "reconciler/directory/repository_reader.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "reconciler/directory/yaml_text.hpp"

namespace lvmd::reconciler::directory {
namespace {

// One mapping of the spec. The first error is kept.
class Section {
 public:
  Section(const YAML::Node& node, std::string name) : node_(node), name_(std::move(name)) {}

  std::string text(const std::string& field) {
    auto value = string_field(node_, field, fmt::format("{}.{}", name_, field));
    if (!value) blame(std::move(value.error()));
    return value.value_or("");
  }

  std::string path(const std::string& field) {
    std::string value = text(field);
    if (!value.empty() && !value.starts_with('/'))
      blame(make_error(Code::kInvalidArgument, "{}.{} \"{}\" is not an absolute path", name_, field,
                       value));
    return value;
  }

  bool flag(const std::string& field) {
    const YAML::Node node = node_[field];
    bool value = false;
    if (node && !node.IsNull() && (!node.IsScalar() || !YAML::convert<bool>::decode(node, value)))
      blame(make_error(Code::kInvalidArgument, "{}.{} must be true or false, not {}", name_, field,
                       quote(node)));
    return value;
  }

  void require(const std::string& field, const std::string& value) {
    if (value.empty()) blame(make_error(Code::kInvalidArgument, "{}.{} is missing", name_, field));
  }

  void blame(Error error) {
    if (status_) status_ = std::unexpected(std::move(error));
  }

  [[nodiscard]] Status status() const { return status_; }

 private:
  YAML::Node node_;
  std::string name_;
  Status status_;
};

// The files that open the repository.
LocationName read_location(Section& section) {
  LocationName storage;
  storage.name = section.path("passwordFile");
  storage.namespace_name = section.path("credentialsFile");
  return storage;
}

Status read_backup(const YAML::Node& node, VolumeSpec& out) {
  Section section{node, "spec.backup"};
  BackupSpec spec;
  spec.repository = section.text("repository");
  spec.storage = read_location(section);
  section.require("repository", spec.repository);
  section.require("passwordFile", spec.storage.name);
  const std::string mode = section.text("mode");
  if (const auto known = parse_copy_mode(mode))
    spec.mode = *known;
  else
    section.blame(make_error(Code::kInvalidArgument,
                             "spec.backup.mode \"{}\" is not auto, files or blocks", mode));
  spec.verify = section.flag("verify");
  if (out.source.empty() || out.access_type != "ro")
    section.blame(
        make_error(Code::kInvalidArgument,
                   "spec.backup is for snapshots: it needs spec.source, and spec.accessType ro"));
  out.backup = std::move(spec);
  return section.status();
}

Status read_restore(const YAML::Node& node, VolumeSpec& out) {
  Section section{node, "spec.restoreFrom"};
  RestoreSpec spec;
  spec.repository = section.text("repository");
  spec.storage = read_location(section);
  spec.snapshot_id = section.text("snapshotID");
  spec.backup = section.text("backup");
  if (spec.snapshot_id.empty() == spec.backup.empty())
    section.blame(
        make_error(Code::kInvalidArgument, "spec.restoreFrom needs one of snapshotID and backup"));
  if (spec.backup.empty()) {
    section.require("repository", spec.repository);
    section.require("passwordFile", spec.storage.name);
  }
  if (!out.source.empty())
    section.blame(
        make_error(Code::kInvalidArgument, "spec.restoreFrom and spec.source exclude each other"));
  out.restore_from = std::move(spec);
  return section.status();
}

using Read = Status (*)(const YAML::Node&, VolumeSpec&);

Status read_section(const YAML::Node& spec, const char* field, Read read, VolumeSpec& out) {
  const YAML::Node node = spec[field];
  if (!node || node.IsNull()) return {};
  if (!node.IsMap())
    return fail(Code::kInvalidArgument, "spec.{} must be a mapping, not {}", field, quote(node));
  return read(node, out);
}

}  // namespace

Status read_repositories(const YAML::Node& spec, VolumeSpec& out) {
  if (auto backup = read_section(spec, "backup", &read_backup, out); !backup) return backup;
  return read_section(spec, "restoreFrom", &read_restore, out);
}

}  // namespace lvmd::reconciler::directory
