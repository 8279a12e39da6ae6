#include "lvmd/volumes/service/owners.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::volumes {
namespace {

// An Error when the class's volumes can't be listed completely.
Result<ReadModel::View> view_of(const Result<ReadModel::View>& group,
                                const model::DeviceClass& device_class) {
  if (group)
    if (auto exists = model::check_pool_exists(*group->group, device_class); !exists)
      return std::unexpected(exists.error());
  return group;
}

}  // namespace

Status check_owner(std::string_view field, const std::string& owner) {
  const auto valid = model::check_mark(model::owner_tag(owner));
  if (valid && owner.size() <= model::kMaxOwner) return {};
  return fail(Code::kInvalidArgument,
              "{} \"{}\" is not 1 to {} of the characters A-Z a-z 0-9 _ + . - / = ! : & #", field,
              std::string_view{owner}.substr(0, model::kMaxOwner), model::kMaxOwner)
      .because(reason::kInvalidTag)
      .about(field, std::string_view{owner}.substr(0, model::kMaxOwner));
}

Result<CheckedChange> check_owner_change(const model::ClassCatalog& catalog,
                                         const v1::SetOwnerRequest& request) {
  const auto device_class = find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  if (auto valid = model::check_lv_name("name", request.name()); !valid)
    return std::unexpected(valid.error());
  if (!request.owner().empty())
    if (auto valid = check_owner("owner", request.owner()); !valid)
      return std::unexpected(valid.error());
  CheckedChange change{
      .volume_group = (*device_class)->volume_group, .volume = request.name(), .request = {}};
  internal::ChangeTags& tags = *change.request.mutable_tags();
  tags.set_name(request.name());
  tags.set_device_class((*device_class)->name);
  tags.add_replace(std::string{model::kOwnerKey});
  if (!request.owner().empty()) tags.add_add(model::owner_tag(request.owner()));
  return change;
}

v1::ListVolumesResponse list_owned(const model::ClassCatalog& catalog,
                                   const ReadModel& read_model) {
  v1::ListVolumesResponse response;
  // By path, so that a volume of several classes is listed once.
  std::map<std::string, v1::OwnedVolume> volumes;
  // Each group is read once, so that all of its classes come from one state.
  std::map<std::string, Result<ReadModel::View>> views;
  for (const model::DeviceClass& device_class : catalog.device_classes) {
    v1::ClassState& state = *response.add_classes();
    state.set_name(device_class.name);
    state.set_volume_group(device_class.volume_group);
    state.set_is_default(device_class.is_default);
    const std::string& name = device_class.volume_group;
    const auto group = views.find(name) == views.end()
                           ? views.emplace(name, read_model.view(name)).first
                           : views.find(name);
    const auto view = view_of(group->second, device_class);
    if (!view) {
      state.set_problem(view.error().message);
      continue;
    }
    for (const model::LogicalVolume& lv : view->group->logical_volumes) {
      if (!model::is_volume_of(lv, device_class) || view->hidden->contains(lv.name)) continue;
      const auto [entry, is_new] = volumes.try_emplace(lv.path);
      if (!is_new) continue;
      v1::OwnedVolume& volume = entry->second;
      volume.set_name(lv.name);
      volume.set_device_class(device_class.name);
      volume.set_volume_group(device_class.volume_group);
      volume.set_path(lv.path);
      volume.set_size_bytes(static_cast<std::int64_t>(lv.size.value));
      if (const auto owner = model::owner_of(lv.tags)) volume.set_owner(std::string{*owner});
    }
  }
  for (auto& [path, volume] : volumes) *response.add_volumes() = std::move(volume);
  return response;
}

}  // namespace lvmd::volumes
