#include "csi/kube/object_requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/object_json.hpp"
#include "reconciler/model/text_fields.hpp"

namespace lvmd::controller::kube {

using nlohmann::json;
using reconciler::LogicalVolume;
using reconciler::kube::member;
using reconciler::kube::string_member;
using reconciler::kube::to_body;

std::string new_object_body(const NewObject& object) {
  json metadata{{"name", object.key.name}};
  for (const auto& [name, value] : object.annotations) metadata["annotations"][name] = value;
  json spec{{"size", object.spec.size}};
  for (const auto& [name, field] : reconciler::kSpecTexts)
    if (const std::string& text = object.spec.*field; !text.empty()) spec[name] = text;
  return to_body(
      {{"apiVersion", fmt::format("{}/{}", to_string(object.key.group), reconciler::kVersion)},
       {"kind", reconciler::kKind},
       {"metadata", std::move(metadata)},
       {"spec", std::move(spec)}});
}

std::string size_patch(const LogicalVolume& object, reconciler::Bytes size,
                       const std::string& annotation, const std::string& timestamp) {
  return to_body(
      {{"metadata",
        {{"resourceVersion", object.resource_version}, {"annotations", {{annotation, timestamp}}}}},
       {"spec", {{"size", reconciler::format_quantity(size)}}}});
}

std::string removal_body(const LogicalVolume& object, Removal removal) {
  json preconditions{{"uid", object.uid}};
  if (removal == Removal::kIfUnchanged) preconditions["resourceVersion"] = object.resource_version;
  return to_body({{"apiVersion", "v1"},
                  {"kind", "DeleteOptions"},
                  {"preconditions", std::move(preconditions)}});
}

Result<Report> parse_removal(reconciler::Group group, std::string_view text) {
  const auto response = reconciler::kube::parse_response(text);
  if (!response) return std::unexpected(response.error());
  if (string_member(*response, "kind") == "Status") return Report{};
  auto object = reconciler::kube::object_from_json(group, *response);
  if (!object) return std::unexpected(std::move(object.error()));
  if (object->finalizers.empty()) return Report{};
  return Report{std::move(*object)};
}

bool is_already_exists(std::string_view text) {
  const auto response = reconciler::kube::parse_response(text);
  return response && string_member(*response, "reason") == "AlreadyExists";
}

}  // namespace lvmd::controller::kube
