#include "reconciler/model/logical_volume.hpp"

#include <fmt/format.h>

#include "reconciler/model/names.hpp"

namespace lvmd::reconciler {
namespace {

constexpr Names<Group, 2> kGroups{
    {{Group::kTopolvm, "topolvm.io"}, {Group::kLegacy, "topolvm.cybozu.com"}}};

}  // namespace

std::string_view to_string(Group group) { return name_of(kGroups, group); }

std::optional<Group> parse_group(std::string_view text) { return value_of(kGroups, text); }

std::string to_string(const Key& key) {
  return fmt::format("{}/{}", to_string(key.group), key.name);
}

std::string finalizer_of(Group group) { return fmt::format("{}/logicalvolume", to_string(group)); }

bool is_pending_deletion(const LogicalVolume& volume) {
  return volume.annotations.contains(
      fmt::format("{}/pendingdeletion", to_string(volume.key.group)));
}

bool is_abandoned(const LogicalVolume& volume) {
  const auto found = volume.annotations.find(std::string{kAbandonAnnotation});
  return found != volume.annotations.end() && found->second == "true";
}

std::string retry_request(const LogicalVolume& volume) {
  const auto found = volume.annotations.find(std::string{kRetryAnnotation});
  return found == volume.annotations.end() ? std::string{} : found->second;
}

bool has_volume(const LogicalVolume& volume) {
  return volume.created || !volume.status.volume_id.empty();
}

bool is_stored(const LogicalVolume& volume) {
  const auto& snapshot = volume.status.snapshot;
  return snapshot && is_ours(*snapshot) &&
         (snapshot->operation == Operation::kDelete || is_stored_backup(*snapshot));
}

bool may_have_class(const LogicalVolume& object) { return !object.spec.source.empty(); }

const std::string& source_name(const LogicalVolume& object) {
  const VolumeSpec& spec = object.spec;
  return spec.source.empty() && spec.restore_from ? spec.restore_from->backup : spec.source;
}

bool same_request(const LogicalVolume& a, const LogicalVolume& b) {
  LogicalVolume copy = a;
  copy.status = b.status;
  copy.resource_version = b.resource_version;
  // One store derives it from the status, the other from a record. It is never part of the request.
  copy.created = b.created;
  // The reconciler's own decision, and the annotation with it.
  copy.restore_from = b.restore_from;
  for (const std::string_view ours : {kRestoreFromAnnotation, kDeviceClassAnnotation}) {
    copy.annotations.erase(std::string{ours});
    if (const auto kept = b.annotations.find(std::string{ours}); kept != b.annotations.end())
      copy.annotations.insert(*kept);
  }
  return copy == b;
}

}  // namespace lvmd::reconciler
