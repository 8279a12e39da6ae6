#include "reconciler/kube/patch_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/snapshot_status_json.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

// A merge patch replaces the whole list, so it includes the conditions of other writers as they
// were read.
json conditions_of(const VolumeStatus& status) {
  json list = json::array();
  for (const Condition& condition : status.conditions) {
    json entry;
    for (const auto& [name, member] : kConditionTexts) entry[name] = condition.*member;
    if (condition.observed_generation) entry["observedGeneration"] = *condition.observed_generation;
    list.push_back(std::move(entry));
  }
  return list;
}

// An object that never had these fields gets none.
void add_csi(const std::optional<CsiStatus>& before, const std::optional<CsiStatus>& csi,
             json& fields) {
  if (!before && !csi) return;
  fields["csiStatus"] = csi ? json(csi->state) : json{};
  fields["csiPublications"] = csi ? json(csi->publications) : json{};
  json& failure = fields["csiFailure"];
  if (!csi || !csi->failure) return;
  for (const auto& [name, member] : kCsiFailureTexts)
    failure[name] = text_or_null((*csi->failure).*member);
}

}  // namespace

std::string finalizer_patch(const LogicalVolume& object) {
  std::vector<std::string> finalizers = object.finalizers;
  const std::string ours = finalizer_of(object.key.group);
  if (std::ranges::count(finalizers, ours) == 0) finalizers.push_back(ours);
  json metadata{{"resourceVersion", object.resource_version},
                {"finalizers", finalizers},
                {"labels", {{std::string{kCreatedByLabel}, kCreatedByValue}}}};
  // Only before the volume is created: the spec does not decide afterwards where it is. A volume
  // group whose class was not found yet stays as it is.
  const bool has_class = !object.spec.device_class.empty() || object.spec.vg_name.empty();
  if (!has_volume(object) && has_class)
    metadata["annotations"][std::string{kDeviceClassAnnotation}] = object.spec.device_class;
  if (!object.restore_from.empty())
    metadata["annotations"][std::string{kRestoreFromAnnotation}] = object.restore_from;
  return to_body({{"metadata", std::move(metadata)}});
}

std::string finalizer_removal_patch(const LogicalVolume& object) {
  std::vector<std::string> finalizers = object.finalizers;
  std::erase(finalizers, finalizer_of(object.key.group));
  return to_body(
      {{"metadata", {{"resourceVersion", object.resource_version}, {"finalizers", finalizers}}}});
}

std::string status_patch(const LogicalVolume& object, const VolumeStatus& status) {
  json fields{
      {"volumeID", text_or_null(status.volume_id)},
      {"code", status.code},
      {"message", text_or_null(status.message)},
      {"currentSize", status.current_size ? json(format_quantity(*status.current_size)) : json{}},
      {"observedGeneration", status.observed_generation},
      {"conditions", conditions_of(status)}};
  add_csi(object.status.csi, status.csi, fields);
  // Never removed, and never written over what another operator wrote [R-ONLINE-13].
  if (status.snapshot && is_ours(*status.snapshot)) fields["snapshot"] = to_json(status.snapshot);
  return to_body({{"metadata", {{"resourceVersion", object.resource_version}}},
                  {"status", std::move(fields)}});
}

}  // namespace lvmd::reconciler::kube
