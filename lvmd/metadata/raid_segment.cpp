#include <string_view>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

// The number of legs with parity.
std::uint64_t parity_of(std::string_view type) {
  if (type.starts_with("raid6")) return 2;
  return type.starts_with("raid4") || type.starts_with("raid5") ? 1 : 0;
}

}  // namespace

// The list has the metadata volume of each leg, if there is one, followed by its image.
Status read_raid(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  const char* const count_key = section.has("device_count") ? "device_count" : "stripe_count";
  const auto count = read.take(section.number(count_key, UINT16_MAX));
  const char* const list_key = section.has("raid0_lvs") ? "raid0_lvs" : "raids";
  auto names = read.take(section.texts(list_key));
  const auto reshape = read.take(section.number_or("reshape_count", 0));
  if (auto complete = read.finish(); !complete) return complete;
  segment.kind = LvKind::kRaid;
  for (std::string& name : names) {
    // LVM distinguishes them by name, too.
    if (name.contains("_rmeta_")) {
      segment.references.push_back({.name = name, .makes = LvMark::kRaidMetadata, .needed = false});
      segment.raid_metadata.push_back(std::move(name));
    } else {
      segment.references.push_back({.name = name, .makes = LvMark::kRaidImage});
      segment.images.push_back(std::move(name));
    }
  }
  if (count == 0 || segment.images.size() != count)
    return fail(Code::kUnimplemented, "{}: {} has {} images, {} is {}", section.path(), list_key,
                segment.images.size(), count_key, count);
  if (!segment.raid_metadata.empty() && segment.raid_metadata.size() != count)
    return fail(Code::kUnimplemented, "{}: {} has {} metadata volumes, {} is {}", section.path(),
                list_key, segment.raid_metadata.size(), count_key, count);
  segment.stripes = static_cast<std::uint32_t>(count);
  // The number in the text is per leg. LVM counts the legs with data.
  const std::uint64_t legs = count > 2 ? count - parity_of(segment.type) : 1;
  if (reshape > segment.extents / legs)
    return fail(Code::kUnimplemented, "{}: reshape_count {} is larger than the segment",
                section.path(), reshape);
  segment.reshape_extents = reshape * legs;
  return {};
}

}  // namespace lvmd::metadata
