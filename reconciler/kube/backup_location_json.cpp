#include "reconciler/kube/backup_location_json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "reconciler/kube/json_member.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

std::optional<BackupLocationStatus> location_status_from(const json& object) {
  const auto phase = parse_backup_location_phase(string_member(object, "phase"));
  if (!phase) return std::nullopt;
  return BackupLocationStatus{.phase = *phase,
                              .message = string_member(object, "message"),
                              .last_checked = string_member(object, "lastChecked"),
                              .node = string_member(object, "node"),
                              .observed_generation = integer_member(object, "observedGeneration")};
}

}  // namespace

Result<BackupLocation> location_from_json(const json& object) {
  const json& metadata = member(object, "metadata");
  const json& validate = member(member(object, "spec"), "validateOnCreate");
  BackupLocation location{.name = {.namespace_name = string_member(metadata, "namespace"),
                                   .name = string_member(metadata, "name")},
                          .uid = string_member(metadata, "uid"),
                          .resource_version = string_member(metadata, "resourceVersion"),
                          .generation = integer_member(metadata, "generation"),
                          // The definition's default, for objects from before the field existed.
                          .validate = !validate.is_boolean() || validate.get<bool>(),
                          .removal_wanted = !string_member(metadata, "deletionTimestamp").empty(),
                          .status = location_status_from(member(object, "status"))};
  if (location.name.namespace_name.empty() || location.name.name.empty() || location.uid.empty())
    return fail(Code::kInvalidArgument,
                "a SnapshotBackupStorage has no metadata.namespace, metadata.name or metadata.uid");
  return location;
}

Result<BackupLocation> parse_backup_location(std::string_view text) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  return location_from_json(*object);
}

std::string location_status_patch(const BackupLocation& location,
                                  const BackupLocationStatus& status) {
  const json patch{{"metadata", {{"resourceVersion", location.resource_version}}},
                   {"status",
                    {{"phase", to_string(status.phase)},
                     {"message", text_or_null(status.message)},
                     {"lastChecked", text_or_null(status.last_checked)},
                     {"node", status.node},
                     {"observedGeneration", status.observed_generation}}}};
  return to_body(patch);
}

}  // namespace lvmd::reconciler::kube
