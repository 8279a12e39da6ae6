#include "lvmd/model/metadata_space.hpp"

#include "lvmd/base/reason.hpp"

namespace lvmd::model {
namespace {

// Upper bounds for the text of one area of a segment (including a RAID image and its metadata
// volume), and of a volume without areas.
constexpr std::uint64_t kMostTextOfArea = 1024;
constexpr std::uint64_t kMostVolumeText = 1024;

std::uint64_t text_of(std::span<const std::string> tags) {
  std::uint64_t bytes = 0;
  // Each tag is in quotes, followed by a comma and a blank.
  for (const std::string& tag : tags) bytes += tag.size() + 4;
  return bytes;
}

}  // namespace

Bytes least_text(std::span<const std::string> tags) {
  return {kLeastVolumeText.value + text_of(tags)};
}

Bytes most_text(std::span<const std::string> tags, std::uint32_t areas) {
  return {kMostVolumeText + areas * kMostTextOfArea + text_of(tags)};
}

Status check_metadata_space(const VolumeGroup& group, Bytes longer) {
  const MetadataCopies& copies = group.copies;
  if (copies.longest_text.value == 0 || longer <= copies.free) return {};
  return fail(
             Code::kResourceExhausted,
             "the metadata area of volume group {} is full: it can hold a text of {} bytes and has "
             "{} bytes left. Remove volumes or tags, or add a PV with a larger area (pvcreate "
             "--metadatasize) and make LVM ignore the small areas (pvchange --metadataignore y)",
             group.name, copies.longest_text.value, copies.free.value)
      .because(reason::kMetadataAreaFull)
      .with(key::kRequested, longer.value)
      .with(key::kAvailable, copies.free.value);
}

bool is_metadata_nearly_full(const VolumeGroup& group) {
  return group.copies.free.value < group.copies.longest_text.value / 10;
}

}  // namespace lvmd::model
