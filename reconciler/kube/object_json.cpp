#include "reconciler/kube/object_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/snapshot_status_json.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

// A quantity can be a JSON number.
std::string quantity_member(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_number() ? value.dump() : string_member(object, name);
}

VolumeSpec spec_from(const json& object) {
  VolumeSpec spec{.size = quantity_member(object, "size")};
  read_texts(object, kSpecTexts, spec);
  return spec;
}

Condition condition_from(const json& object) {
  Condition condition;
  read_texts(object, kConditionTexts, condition);
  if (member(object, "observedGeneration").is_number_integer())
    condition.observed_generation = integer_member(object, "observedGeneration");
  return condition;
}

std::optional<CsiStatus> csi_status_from(const json& object) {
  CsiStatus csi{.state = string_member(object, "csiStatus")};
  if (csi.state.empty()) return std::nullopt;
  if (const json& count = member(object, "csiPublications"); count.is_number_unsigned())
    csi.publications = count.get<std::uint32_t>();
  if (const json& failure = member(object, "csiFailure"); failure.is_object())
    read_texts(failure, kCsiFailureTexts, csi.failure.emplace());
  return csi;
}

VolumeStatus status_from(const json& object) {
  VolumeStatus status{.volume_id = string_member(object, "volumeID"),
                      .message = string_member(object, "message")};
  if (const json& code = member(object, "code"); code.is_number_unsigned())
    status.code = code.get<std::uint32_t>();
  // A size that cannot be parsed counts as unknown: the next resize returns it.
  if (const auto size = parse_quantity(quantity_member(object, "currentSize")); size)
    status.current_size = *size;
  status.observed_generation = integer_member(object, "observedGeneration");
  if (const json& conditions = member(object, "conditions"); conditions.is_array())
    for (const json& condition : conditions) status.conditions.push_back(condition_from(condition));
  status.snapshot = snapshot_status_from(member(object, "snapshot"));
  status.csi = csi_status_from(object);
  return status;
}

// The class that was found before the volume was created stays its class, whatever the spec says
// later [R-CREATE-8]. A removal uses the class of the volume.
void apply_class(LogicalVolume& volume, const std::string& fixed) {
  const VolumeSpec& spec = volume.spec;
  if (!spec.device_class.empty() && spec.device_class != fixed)
    volume.defect = make_error(Code::kFailedPrecondition,
                               "spec.deviceClass is \"{}\", but the volume is of class \"{}\" "
                               "(annotation {}) and cannot move: change it back",
                               spec.device_class, fixed, kDeviceClassAnnotation);
  volume.spec.device_class = fixed;
}

}  // namespace

Result<LogicalVolume> object_from_json(Group group, const json& object) {
  const json& metadata = member(object, "metadata");
  LogicalVolume volume;
  volume.key = {.group = group, .name = string_member(metadata, "name")};
  volume.uid = string_member(metadata, "uid");
  if (volume.key.name.empty() || volume.uid.empty())
    return fail(Code::kInvalidArgument, "an object of {} has no metadata.name or no metadata.uid",
                to_string(group));
  volume.resource_version = string_member(metadata, "resourceVersion");
  volume.generation = integer_member(metadata, "generation");
  volume.creation_timestamp = string_member(metadata, "creationTimestamp");
  volume.deletion_timestamp = string_member(metadata, "deletionTimestamp");
  volume.labels = map_member(metadata, "labels");
  volume.annotations = map_member(metadata, "annotations");
  if (const json& finalizers = member(metadata, "finalizers"); finalizers.is_array())
    for (const json& finalizer : finalizers)
      if (finalizer.is_string()) volume.finalizers.push_back(finalizer.get<std::string>());
  volume.spec = spec_from(member(object, "spec"));
  volume.status = status_from(member(object, "status"));

  const auto label = volume.labels.find(std::string{kCreatedByLabel});
  if (const auto decided = volume.annotations.find(std::string{kRestoreFromAnnotation});
      decided != volume.annotations.end())
    volume.restore_from = decided->second;
  volume.has_finalizer = std::ranges::count(volume.finalizers, finalizer_of(group)) > 0;
  const auto fixed_class = volume.annotations.find(std::string{kDeviceClassAnnotation});
  const bool has_class = fixed_class != volume.annotations.end();
  if (has_class) apply_class(volume, fixed_class->second);
  volume.has_metadata = volume.has_finalizer && label != volume.labels.end() &&
                        label->second == kCreatedByValue && (has_class || has_volume(volume));
  // The API server keeps the timestamp and never removes it.
  volume.removal_wanted = !volume.deletion_timestamp.empty();
  volume.removal_begun = volume.removal_wanted;
  return volume;
}

Result<LogicalVolume> parse_object(Group group, std::string_view text) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  return object_from_json(group, *object);
}

}  // namespace lvmd::reconciler::kube
