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
                               std::string_view wanted, std::string_view has) {
  return fail(Code::kAlreadyExists,
              "volume {} exists and differs in {}: requested \"{}\", the volume has \"{}\"",
              existing.name, field, wanted, has)
      .because(reason::kVolumeDiffers)
      .with(key::kField, field)
      .with(key::kValue, wanted)
      .with(key::kExisting, has);
}

Status check_size(const model::LogicalVolume& existing, model::Bytes wanted,
                  model::Bytes at_creation) {
  if (wanted.value == 0 || wanted == existing.size || wanted == at_creation) return {};
  return differs(existing, "size_bytes", fmt::format("{}", wanted.value),
                 fmt::format("{}", existing.size.value));
}

Status check_owned(const model::LogicalVolume& existing, const model::Ownership& has,
                   const Wanted& wanted) {
  const model::Ownership& want = wanted.ownership;
  if (has.device_class != want.device_class)
    return differs(existing, "device_class", want.device_class, has.device_class);
  if (has.source != want.source) return differs(existing, "source_volume", want.source, has.source);
  if (has.access_type != want.access_type)
    return differs(existing, "access_type", want.access_type, has.access_type);
  if (has.option_class != want.option_class)
    return differs(existing, "lvcreate_option_class", want.option_class, has.option_class);
  const std::vector<std::string> tags = model::caller_tags(existing.tags);
  std::set<std::string> has_tags{tags.begin(), tags.end()};
  const std::set<std::string> want_tags{wanted.caller_tags.begin(), wanted.caller_tags.end()};
  for (const std::string& tag : wanted.configured_tags)
    if (!want_tags.contains(tag)) has_tags.erase(tag);
  if (has_tags != want_tags)
    return differs(existing, "tags", fmt::format("{}", fmt::join(want_tags, ",")),
                   fmt::format("{}", fmt::join(has_tags, ",")));
  return check_size(existing, want.size, has.size);
}

// Made by TopoLVM or by hand: only what LVM itself tells can be compared.
Status check_unowned(const model::LogicalVolume& existing, const Wanted& wanted) {
  const model::Ownership& want = wanted.ownership;
  if (existing.origin != want.source)
    return differs(existing, "source_volume", want.source, existing.origin);
  const std::string_view access = existing.writable ? "rw" : "ro";
  const std::string_view want_access =
      want.access_type.empty() ? std::string_view{"rw"} : std::string_view{want.access_type};
  if (access != want_access) return differs(existing, "access_type", want_access, access);
  return check_size(existing, want.size, existing.size);
}

}  // namespace

Status check_identical(const model::LogicalVolume& existing, const Wanted& wanted) {
  if (!model::is_volume_of(existing, wanted.device_class))
    return fail(Code::kAlreadyExists,
                "the name {} is taken by {}, which is not a volume of device class {}",
                existing.name, model::kind_of(existing), wanted.device_class.name)
        .because(reason::kNameTaken)
        .with(key::kDeviceClass, wanted.device_class.name)
        .with(key::kExisting, model::kind_of(existing));
  const auto ownership = model::ownership_of(existing.tags);
  return ownership ? check_owned(existing, *ownership, wanted) : check_unowned(existing, wanted);
}

}  // namespace lvmd::volumes::worker
