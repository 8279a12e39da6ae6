#include "lvmd/volumes/worker/identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <string_view>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/membership.hpp"

namespace lvmd::volumes::worker {
namespace {

std::unexpected<Error> differs(const model::LogicalVolume& existing, std::string_view field,
                               std::string_view requested, std::string_view actual) {
  return fail(Code::kAlreadyExists,
              "volume {} exists and differs in {}: requested \"{}\", the volume has \"{}\"",
              existing.name, field, requested, actual)
      .because(reason::kVolumeDiffers)
      .about(field, requested)
      .with(key::kExisting, actual);
}

Status check_size(const model::LogicalVolume& existing, model::Bytes requested,
                  model::Bytes at_creation) {
  if (requested.value == 0 || requested == existing.size || requested == at_creation) return {};
  return differs(existing, "size_bytes", fmt::format("{}", requested.value),
                 fmt::format("{}", existing.size.value));
}

Status check_owned(const model::LogicalVolume& existing, const model::Ownership& actual,
                   const VolumeSpec& spec) {
  const model::Ownership& requested = spec.ownership;
  if (actual.device_class != requested.device_class)
    return differs(existing, "device_class", requested.device_class, actual.device_class);
  if (actual.source != requested.source)
    return differs(existing, "source_volume", requested.source, actual.source);
  if (actual.access_type != requested.access_type)
    return differs(existing, "access_type", requested.access_type, actual.access_type);
  if (actual.option_class != requested.option_class)
    return differs(existing, "lvcreate_option_class", requested.option_class, actual.option_class);
  const std::vector<std::string> tags = model::caller_tags(existing.tags);
  std::set<std::string> actual_tags{tags.begin(), tags.end()};
  const std::set<std::string> requested_tags{spec.caller_tags.begin(), spec.caller_tags.end()};
  for (const std::string& tag : spec.configured_tags)
    if (!requested_tags.contains(tag)) actual_tags.erase(tag);
  if (actual_tags != requested_tags)
    return differs(existing, "tags", fmt::format("{}", fmt::join(requested_tags, ",")),
                   fmt::format("{}", fmt::join(actual_tags, ",")));
  return check_size(existing, requested.size, actual.size);
}

// Created by TopoLVM or by hand: only LVM's own attributes can be compared.
Status check_unowned(const model::LogicalVolume& existing, const VolumeSpec& spec) {
  const model::Ownership& requested = spec.ownership;
  if (existing.origin != requested.source)
    return differs(existing, "source_volume", requested.source, existing.origin);
  const std::string_view access = existing.writable ? "rw" : "ro";
  const std::string_view requested_access = requested.access_type.empty()
                                                ? std::string_view{"rw"}
                                                : std::string_view{requested.access_type};
  if (access != requested_access) return differs(existing, "access_type", requested_access, access);
  return check_size(existing, requested.size, existing.size);
}

}  // namespace

Status check_identical(const model::LogicalVolume& existing, const VolumeSpec& spec) {
  if (!model::is_volume_of(existing, spec.device_class))
    return fail(Code::kAlreadyExists,
                "the name {} is taken by {}, which is not a volume of device class {}",
                existing.name, model::kind_of(existing), spec.device_class.name)
        .because(reason::kNameTaken)
        .with(key::kDeviceClass, spec.device_class.name)
        .with(key::kExisting, model::kind_of(existing));
  const auto ownership = model::ownership_of(existing.tags);
  return ownership ? check_owned(existing, *ownership, spec) : check_unowned(existing, spec);
}

}  // namespace lvmd::volumes::worker
