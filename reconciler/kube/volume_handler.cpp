#include "reconciler/kube/volume_handler.hpp"

#include <nlohmann/json.hpp>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/object_json.hpp"

namespace lvmd::reconciler::kube {

std::string VolumeHandler::name() const { return std::string{to_string(group_)}; }

std::string VolumeHandler::path() const { return volumes_path(group_); }

std::string VolumeHandler::field_selector() const { return "spec.nodeName=" + node_name_; }

Status VolumeHandler::add_listed(const nlohmann::json& object) {
  // Without a selector the list has the objects of every node. Only this node's are kept.
  if (string_member(member(object, "spec"), "nodeName") != node_name_) return {};
  auto volume = object_from_json(group_, object);
  if (!volume) return std::unexpected(std::move(volume.error()));
  listed_.push_back(std::move(*volume));
  return {};
}

void VolumeHandler::end_list() { cache_.replace(group_, std::exchange(listed_, {})); }

Status VolumeHandler::put(const nlohmann::json& object) {
  const auto volume = object_from_json(group_, object);
  if (!volume) return std::unexpected(volume.error());
  cache_.put(*volume);
  return {};
}

Status VolumeHandler::erase(const nlohmann::json& object) {
  const auto volume = object_from_json(group_, object);
  if (!volume) return std::unexpected(volume.error());
  cache_.erase(volume->key);
  return {};
}

}  // namespace lvmd::reconciler::kube
