#include "reconciler/kube/node_capacity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

using nlohmann::json;

namespace {

bool is_capacity(std::string_view key) {
  return std::ranges::any_of(kCapacityPrefixes,
                             [key](std::string_view prefix) { return key.starts_with(prefix); });
}

}  // namespace

std::string node_path(const std::string& node_name) {
  return fmt::format("{}/{}", kNodesPath, percent_encode(node_name));
}

StringMap capacity_annotations(const Capacity& capacity) {
  StringMap annotations;
  for (const std::string_view prefix : kCapacityPrefixes) {
    annotations[fmt::format("{}{}", prefix, kDefaultClass)] =
        fmt::format("{}", capacity.default_class);
    for (const auto& [name, bytes] : capacity.classes)
      annotations[fmt::format("{}{}", prefix, name)] = fmt::format("{}", bytes);
  }
  return annotations;
}

StringMap capacity_of(const json& node) {
  StringMap found = map_member(member(node, "metadata"), "annotations");
  std::erase_if(found, [](const auto& annotation) { return !is_capacity(annotation.first); });
  return found;
}

Result<StringMap> parse_capacity(std::string_view text) {
  const json node = json::parse(text, nullptr, false);
  if (!node.is_object()) return fail(Code::kUnavailable, "the API server's response is not a Node");
  return capacity_of(node);
}

std::string capacity_patch(const StringMap& present, const StringMap& wanted) {
  json annotations = json::object();
  for (const auto& [key, value] : present)
    if (!wanted.contains(key)) annotations[key] = nullptr;
  for (const auto& [key, value] : wanted) annotations[key] = value;
  return json{{"metadata", {{"annotations", std::move(annotations)}}}}.dump();
}

}  // namespace lvmd::reconciler::kube
