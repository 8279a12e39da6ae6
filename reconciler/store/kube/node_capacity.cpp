#include "reconciler/store/kube/node_capacity.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reconciler/store/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

using nlohmann::json;

std::string node_path(const std::string& node_name) {
  return "/api/v1/nodes/" + percent_encode(node_name);
}

StringMap capacity_annotations(const Capacity& capacity) {
  StringMap annotations{{std::string{kDefaultClassKey}, fmt::format("{}", capacity.default_class)}};
  for (const auto& [name, bytes] : capacity.classes)
    annotations[fmt::format("{}{}", kCapacityPrefix, name)] = fmt::format("{}", bytes);
  return annotations;
}

Result<StringMap> parse_capacity(std::string_view text) {
  const json node = json::parse(text, nullptr, false);
  if (!node.is_object()) return fail(Code::kUnavailable, "the API server's answer is no Node");
  const auto pointer = json::json_pointer("/metadata/annotations");
  StringMap found;
  if (!node.contains(pointer) || !node.at(pointer).is_object()) return found;
  for (const auto& [key, value] : node.at(pointer).items())
    if (key.starts_with(kCapacityPrefix) && value.is_string())
      found[key] = value.get<std::string>();
  return found;
}

std::string capacity_patch(const StringMap& present, const StringMap& wanted) {
  json annotations = json::object();
  for (const auto& [key, value] : present)
    if (!wanted.contains(key)) annotations[key] = nullptr;
  for (const auto& [key, value] : wanted) annotations[key] = value;
  return json{{"metadata", {{"annotations", std::move(annotations)}}}}.dump();
}

}  // namespace lvmd::reconciler::kube
