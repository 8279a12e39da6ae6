#include "reconciler/store/kube/node_collection.hpp"

#include <nlohmann/json.hpp>

namespace lvmd::reconciler::kube {

std::string NodeCollection::path() const { return std::string{kNodesPath}; }

std::string NodeCollection::field_selector() const { return "metadata.name=" + node_name_; }

Status NodeCollection::add_listed(const nlohmann::json& object) {
  listed_ = capacity_of(object);
  return {};
}

Status NodeCollection::put(const nlohmann::json& object) {
  writer_.see(capacity_of(object));
  return {};
}

Status NodeCollection::erase(const nlohmann::json&) {
  writer_.see(std::nullopt);
  return {};
}

}  // namespace lvmd::reconciler::kube
