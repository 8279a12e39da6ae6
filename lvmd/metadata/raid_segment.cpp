#include <string_view>

#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

// How many legs hold parity.
std::uint64_t parity_of(std::string_view type) {
  if (type.starts_with("raid6")) return 2;
  return type.starts_with("raid4") || type.starts_with("raid5") ? 1 : 0;
}

}  // namespace

// The list names each leg's metadata volume, when it has one, and then its image.
Status read_raid(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  const char* const count_key = section.has("device_count") ? "device_count" : "stripe_count";
  const auto count = section.number(count_key, UINT16_MAX);
  if (!count) return std::unexpected(count.error());
  const char* const list_key = section.has("raid0_lvs") ? "raid0_lvs" : "raids";
  auto names = section.texts(list_key);
  if (!names) return std::unexpected(names.error());
  segment.kind = LvKind::kRaid;
  for (std::string& name : *names) {
    // So LVM itself tells them apart.
    if (name.contains("_rmeta_")) {
      segment.references.push_back({.name = name, .makes = LvMark::kRaidMetadata, .needed = false});
      segment.raid_metadata.push_back(std::move(name));
    } else {
      segment.references.push_back({.name = name, .makes = LvMark::kRaidImage});
      segment.images.push_back(std::move(name));
    }
  }
  if (*count == 0 || segment.images.size() != *count)
    return fail(Code::kUnimplemented, "{}: {} has {} images, {} is {}", section.path(), list_key,
                segment.images.size(), count_key, *count);
  if (!segment.raid_metadata.empty() && segment.raid_metadata.size() != *count)
    return fail(Code::kUnimplemented, "{}: {} has {} metadata volumes, {} is {}", section.path(),
                list_key, segment.raid_metadata.size(), count_key, *count);
  segment.stripes = static_cast<std::uint32_t>(*count);
  // The text has it per leg, and LVM counts what the legs with data have.
  const auto room = section.number_or("reshape_count", 0);
  if (!room) return std::unexpected(room.error());
  const std::uint64_t legs = *count > 2 ? *count - parity_of(segment.type) : 1;
  if (*room > segment.extents / legs)
    return fail(Code::kUnimplemented, "{}: reshape_count {} is more than the segment has",
                section.path(), *room);
  segment.reshape_extents = *room * legs;
  return {};
}

}  // namespace lvmd::metadata
