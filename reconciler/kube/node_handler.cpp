#include "reconciler/kube/node_handler.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"

namespace lvmd::reconciler::kube {
namespace {

std::string uid_of(const nlohmann::json& node) {
  return string_member(member(node, "metadata"), "uid");
}

}  // namespace

std::string NodeHandler::path() const { return std::string{kNodesPath}; }

std::string NodeHandler::field_selector() const { return "metadata.name=" + node_name_; }

void NodeHandler::begin_list() {
  listed_.reset();
  listed_uid_.clear();
}

void NodeHandler::end_list() {
  writer_.see(std::exchange(listed_, std::nullopt));
  identity_.see(std::exchange(listed_uid_, std::string{}));
}

Status NodeHandler::add_listed(const nlohmann::json& object) {
  listed_ = capacity_of(object);
  listed_uid_ = uid_of(object);
  return {};
}

Status NodeHandler::put(const nlohmann::json& object) {
  writer_.see(capacity_of(object));
  identity_.see(uid_of(object));
  return {};
}

Status NodeHandler::erase(const nlohmann::json&) {
  writer_.see(std::nullopt);
  identity_.see({});
  return {};
}

}  // namespace lvmd::reconciler::kube
