#include "reconciler/directory/spec_reader.hpp"

#include <string>
#include <utility>

#include "reconciler/directory/mapping_reader.hpp"
#include "reconciler/directory/repository_reader.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr const char* kStateAnnotation = "lvmd.io/state";

Status read_spec(const YAML::Node& spec, VolumeSpec& out) {
  if (!spec || !spec.IsMap())
    return fail(Code::kInvalidArgument, "spec must be a mapping, not {}", quote(spec));
  MappingReader in{spec, "spec"};
  in.texts(kSpecTexts, out);
  if (!in.status()) return in.status();
  if (auto repositories = read_repositories(spec, out); !repositories) return repositories;
  const YAML::Node size = spec["size"];
  if (!size || size.IsNull()) return {};
  if (!size.IsScalar())
    return fail(Code::kInvalidArgument, "spec.size must be a quantity, not {}", quote(size));
  out.size = size.Scalar();
  return {};
}

Status read_string_map(const YAML::Node& metadata, const std::string& field, StringMap& out) {
  const YAML::Node map = metadata[field];
  if (!map || map.IsNull()) return {};
  if (!map.IsMap())
    return fail(Code::kInvalidArgument, "metadata.{} must be a mapping, not {}", field, quote(map));
  for (const auto& entry : map) {
    if (!entry.first.IsScalar() || !is_string(entry.second))
      return fail(Code::kInvalidArgument, "metadata.{}: {} must be a string, not {}", field,
                  quote(entry.first), quote(entry.second));
    out[entry.first.Scalar()] = entry.second.Scalar();
  }
  return {};
}

Status read_state(const StringMap& annotations, bool& absent) {
  const auto state = annotations.find(kStateAnnotation);
  if (state == annotations.end()) return {};
  if (state->second != "absent")
    return fail(Code::kInvalidArgument,
                "annotation {} is \"{}\": the only valid value is \"absent\"", kStateAnnotation,
                state->second);
  absent = true;
  return {};
}

}  // namespace

Status read_object(const YAML::Node& document, LogicalVolume& object, bool& absent) {
  const YAML::Node metadata = document["metadata"];
  // All parts are read even if one fails: the node's name and the annotations decide whether the
  // failure is reported.
  Status spec = read_spec(document["spec"], object.spec);
  Status labels = read_string_map(metadata, "labels", object.labels);
  Status annotations = read_string_map(metadata, "annotations", object.annotations);
  Status state = read_state(object.annotations, absent);
  for (Status* part : {&spec, &labels, &annotations, &state})
    if (!*part) return std::move(*part);
  return {};
}

}  // namespace lvmd::reconciler::directory
