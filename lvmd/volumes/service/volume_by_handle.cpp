#include "lvmd/volumes/service/volume_by_handle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/volumes/service/volume_device.hpp"

namespace lvmd::volumes {
namespace {

constexpr std::string_view kField = "volume_id";

// TopoLVM names a volume by the UID of its LogicalVolume, which the API server forms as a UUID.
bool is_object_uid(std::string_view name) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return std::ranges::equal(name, kForm, [](char c, char form) {
    return form == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

// The groups may have volumes for other purposes, such as the root of the host.
Status check_usable(const model::VolumeGroup& group, const model::LogicalVolume& lv) {
  const auto refused = [&](std::string_view what) {
    return fail(Code::kFailedPrecondition, "{}: {}/{} is {}", kField, group.name, lv.name, what)
        .because(reason::kVolumeForeign)
        .about(kField, lv.name)
        .with(key::kVg, group.name);
  };
  if (lv.role == model::LvRole::kThinPool || lv.role == model::LvRole::kInternal)
    return refused(model::kind_of(lv));
  if (!model::ownership_of(lv.tags) && !is_object_uid(lv.name))
    return refused(
        "not a volume that lvmd or TopoLVM created: its tags and its name do not say so");
  return {};
}

Failure ambiguous(const std::string& handle, const std::vector<HandledVolume>& found) {
  std::vector<std::string_view> names;
  names.reserve(found.size());
  for (const HandledVolume& volume : found) names.push_back(volume.group->name);
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  return fail(Code::kFailedPrecondition,
              "{}: several volume groups have a volume {}: {}: rename all but one of the volumes "
              "with lvrename",
              kField, handle, list)
      .because(reason::kVolumeAmbiguous)
      .about(kField, handle)
      .with(key::kExisting, list);
}

// `why` is the Error of a group that cannot be read.
Failure perhaps_there(const std::string& handle, Error why) {
  why.code = Code::kUnavailable;
  why.message = fmt::format("{}: volume {} was not found in the groups that can be read: {}",
                            kField, handle, why.message);
  return Failure{std::move(why)};
}

}  // namespace

Result<HandledVolume> volume_by_handle(const model::ClassCatalog& catalog,
                                       const ReadModel& read_model, const std::string& handle) {
  if (auto valid = model::check_lv_name(kField, handle); !valid)
    return std::unexpected(std::move(valid.error()));
  std::set<std::string_view> names;
  for (const model::DeviceClass& device_class : catalog.device_classes)
    names.insert(device_class.volume_group);

  std::vector<HandledVolume> found;
  std::optional<Error> unavailable;
  for (const std::string_view name : names) {
    auto view = read_model.view(name);
    if (!view) {
      if (!unavailable) unavailable = std::move(view.error());
      continue;
    }
    const model::LogicalVolume* const lv = view->group->find(handle);
    if (lv != nullptr && !view->hidden->contains(handle))
      found.push_back({.group = std::move(view->group), .volume = lv, .device = {}});
  }

  if (found.size() > 1) return ambiguous(handle, found);
  if (found.empty() && unavailable) return perhaps_there(handle, *std::move(unavailable));
  if (found.empty())
    return fail(Code::kNotFound, "{}: no volume group of lvmd.yaml has a volume {}", kField, handle)
        .because(reason::kVolumeNotFound);
  HandledVolume& volume = found.front();
  if (auto usable = check_usable(*volume.group, *volume.volume); !usable)
    return std::unexpected(std::move(usable.error()));
  volume.device = device_of(*volume.group, *volume.volume);
  return std::move(volume);
}

Status check_restored(const model::LogicalVolume& volume) {
  const auto restore = model::restore_begun(volume.tags);
  if (!restore) return {};
  return fail(Code::kUnavailable,
              "{}: volume {} is not whole: restore {} has begun and is not completed: wait until "
              "it is, or start it again if it has failed",
              kField, volume.name, *restore)
      .because(reason::kRestoreUnderWay)
      .about(kField, volume.name)
      .with(key::kTransfer, *restore);
}

}  // namespace lvmd::volumes
