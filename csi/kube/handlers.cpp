#include "csi/kube/handlers.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ranges>

#include "lvmd/base/parse_number.hpp"
#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/node_capacity.hpp"
#include "reconciler/kube/object_json.hpp"

namespace lvmd::controller::kube {

using nlohmann::json;
using reconciler::kube::map_member;
using reconciler::kube::member;
using reconciler::kube::string_member;

std::string VolumesHandler::name() const { return std::string{to_string(group_)}; }

std::string VolumesHandler::path() const { return reconciler::kube::volumes_path(group_); }

Status VolumesHandler::add_listed(const json& object) {
  auto volume = reconciler::kube::object_from_json(group_, object);
  if (!volume) return std::unexpected(std::move(volume.error()));
  listed_.push_back(std::move(*volume));
  return {};
}

Status VolumesHandler::put(const json& object) {
  const auto volume = reconciler::kube::object_from_json(group_, object);
  if (!volume) return std::unexpected(volume.error());
  feed_.put(*volume);
  return {};
}

Status VolumesHandler::erase(const json& object) {
  feed_.erase(string_member(member(object, "metadata"), "name"));
  return {};
}

std::vector<StorageNode> NodesHandler::all() const {
  const std::lock_guard lock{mutex_};
  const auto nodes = std::views::values(nodes_);
  return {nodes.begin(), nodes.end()};
}

std::string NodesHandler::path() const { return std::string{reconciler::kube::kNodesPath}; }

Status NodesHandler::add_listed(const json& object) {
  add(object, listed_);
  return {};
}

void NodesHandler::end_list() {
  const std::lock_guard lock{mutex_};
  nodes_ = std::exchange(listed_, {});
}

Status NodesHandler::put(const json& object) {
  const std::lock_guard lock{mutex_};
  add(object, nodes_);
  return {};
}

Status NodesHandler::erase(const json& object) {
  const std::lock_guard lock{mutex_};
  nodes_.erase(string_member(member(object, "metadata"), "name"));
  return {};
}

void NodesHandler::add(const json& object, Nodes& nodes) const {
  const json& metadata = member(object, "metadata");
  const std::string name = string_member(metadata, "name");
  StorageNode node{.name =
                       string_member(member(metadata, "labels"), driver_.topology_key().c_str())};
  if (node.name.empty()) {
    nodes.erase(name);
    return;
  }
  const std::string prefix = driver_.capacity_prefix();
  for (const auto& [key, value] : map_member(metadata, "annotations")) {
    // A value of another writer that is not a number counts as absent.
    const auto bytes = parse_number<std::int64_t>(value);
    if (key.starts_with(prefix) && bytes) node.capacities[key.substr(prefix.size())] = *bytes;
  }
  nodes.insert_or_assign(name, std::move(node));
}

}  // namespace lvmd::controller::kube
