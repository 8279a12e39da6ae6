#include "reconciler/directory/repository_reader.hpp"

#include <string>
#include <utility>

#include "reconciler/directory/mapping_reader.hpp"

namespace lvmd::reconciler::directory {
namespace {

// The files that open the repository.
LocationName read_location(MappingReader& section) {
  LocationName storage;
  storage.name = section.path("passwordFile");
  storage.namespace_name = section.path("credentialsFile");
  return storage;
}

Status read_backup(const YAML::Node& node, VolumeSpec& out) {
  MappingReader section{node, "spec.backup"};
  BackupSpec spec;
  spec.repository = section.text("repository");
  spec.storage = read_location(section);
  section.require("repository", spec.repository);
  section.require("passwordFile", spec.storage.name);
  const std::string mode = section.text("mode");
  if (const auto known = parse_copy_mode(mode))
    spec.mode = *known;
  else
    section.blame("spec.backup.mode \"{}\" is not auto, files or blocks", mode);
  spec.verify = section.flag("verify");
  if (out.source.empty() || out.access_type != "ro")
    section.blame("spec.backup is for snapshots: it needs spec.source, and spec.accessType ro");
  out.backup = std::move(spec);
  return section.status();
}

Status read_restore(const YAML::Node& node, VolumeSpec& out) {
  MappingReader section{node, "spec.restoreFrom"};
  RestoreSpec spec;
  spec.repository = section.text("repository");
  spec.storage = read_location(section);
  spec.snapshot_id = section.text("snapshotID");
  spec.backup = section.text("backup");
  if (spec.snapshot_id.empty() == spec.backup.empty())
    section.blame("spec.restoreFrom needs one of snapshotID and backup");
  if (spec.backup.empty()) {
    section.require("repository", spec.repository);
    section.require("passwordFile", spec.storage.name);
  }
  if (!out.source.empty()) section.blame("spec.restoreFrom and spec.source exclude each other");
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
