#include "csi/controller/desired_object.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "csi/controller/placement.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/object_name.hpp"

namespace lvmd::controller {
namespace {

using reconciler::Bytes;
using reconciler::Key;
using reconciler::LogicalVolume;
using reconciler::VolumeSpec;

Failure differs(const Key& key, std::string_view what) {
  return fail(Code::kAlreadyExists, "LogicalVolume {} exists for another request: {}", key.name,
              what)
      .because(reason::kVolumeDiffers);
}

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

// The default class has a name, too, which the request may or may not use.
bool may_be_same_class(const std::string& one, const std::string& other) {
  return one.empty() || other.empty() || one == other;
}

std::string source_of(const VolumeRequest& request) {
  return request.source ? request.source->key.name : std::string{};
}

std::string class_for(const VolumeRequest& request) {
  const std::string& requested = request.parameters.device_class;
  if (!requested.empty() || is_free_to_place(request)) return requested;
  return request.source->spec.device_class;
}

}  // namespace

Result<std::string> object_name(const std::string& name, std::string_view field) {
  if (name.empty()) return fail(Code::kInvalidArgument, "{} is empty", field).about(field, name);
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (!model::is_object_name(lower))
    return fail(Code::kInvalidArgument,
                "{} \"{}\" cannot be the name of a LogicalVolume: use at most {} letters, digits, "
                "\"-\" and \".\", with a letter or digit at both ends of each part",
                field, name, model::kMaxObjectNameLength)
        .because(reason::kInvalidName)
        .about(field, name);
  return lower;
}

bool is_snapshot(const LogicalVolume& object) {
  return !object.spec.source.empty() && object.spec.access_type == kReadOnly;
}

Bytes size_of(const LogicalVolume& object) {
  if (object.status.current_size) return *object.status.current_size;
  return reconciler::parse_quantity(object.spec.size).value_or(Bytes{});
}

bool is_free_to_place(const VolumeRequest& request) {
  return !request.source || reconciler::is_stored(*request.source);
}

Result<Bytes> size_for(const VolumeRequest& request) {
  std::optional<Bytes> least;
  if (request.source) least = size_of(*request.source);
  return wanted_size(request.range, least);
}

Status check_source(const VolumeRequest& request) {
  if (is_free_to_place(request)) return {};
  const std::string& requested = request.parameters.device_class;
  const std::string& existing = request.source->spec.device_class;
  if (may_be_same_class(requested, existing)) return {};
  return fail(Code::kInvalidArgument,
              "the device class {} is not {}, the class of the source: a clone shares the blocks "
              "of its source, so use a StorageClass with the class of the source",
              requested, existing)
      .about("parameters", requested)
      .with(key::kExisting, existing);
}

NewObject desired_volume(const VolumeRequest& request, const std::string& node, Bytes size) {
  const std::string source = source_of(request);
  return {.key = request.key,
          .spec = {.name = request.key.name,
                   .node_name = node,
                   .size = reconciler::format_quantity(size),
                   .device_class = class_for(request),
                   .lvcreate_option_class = request.parameters.lvcreate_option_class,
                   .source = source,
                   .access_type = source.empty() ? std::string{} : std::string{kReadWrite}}};
}

NewObject desired_snapshot(const SnapshotRequest& request) {
  const LogicalVolume& source = request.source;
  NewObject object{.key = request.key,
                   .spec = {.name = request.key.name,
                            .node_name = source.spec.node_name,
                            .size = reconciler::format_quantity(size_of(source)),
                            .device_class = source.spec.device_class,
                            .source = source.key.name,
                            .access_type = std::string{kReadOnly}}};
  object.annotations[kSourceVolumeAnnotation] = source.status.volume_id;
  if (request.is_online) object.annotations[kSnapshotModeAnnotation] = kOnlineMode;
  return object;
}

Status check_same(const LogicalVolume& object, const VolumeRequest& request) {
  const VolumeSpec& spec = object.spec;
  if (is_snapshot(object)) return differs(object.key, "it is a snapshot");
  if (const std::string source = source_of(request); spec.source != source)
    return differs(object.key,
                   fmt::format("its source is {}, not {}", quoted(spec.source), quoted(source)));
  if (!may_be_same_class(spec.device_class, request.parameters.device_class))
    return differs(object.key, fmt::format("its device class is {}, not {}", spec.device_class,
                                           request.parameters.device_class));
  if (spec.lvcreate_option_class != request.parameters.lvcreate_option_class)
    return differs(object.key, fmt::format("its lvcreate option class is {}, not {}",
                                           quoted(spec.lvcreate_option_class),
                                           quoted(request.parameters.lvcreate_option_class)));
  if (const Bytes size = size_of(object); !request.range.contains(size))
    return differs(object.key,
                   fmt::format("its size {} is not in the range from {} to {} (0: no limit)",
                               size.value, request.range.required, request.range.limit));
  if (!object.status.volume_id.empty() && !permits(request.permitted, spec.node_name))
    return differs(object.key, fmt::format("it is on node {}, which accessibility_requirements "
                                           "does not permit",
                                           spec.node_name));
  return {};
}

Status check_same(const LogicalVolume& object, const SnapshotRequest& request) {
  if (!is_snapshot(object)) return differs(object.key, "it is a volume");
  const std::string& source = request.source.key.name;
  if (object.spec.source != source)
    return differs(object.key, fmt::format("its source is {}, not {}", object.spec.source, source));
  return {};
}

}  // namespace lvmd::controller
