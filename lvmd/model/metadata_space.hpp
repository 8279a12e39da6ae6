// The free space in the metadata areas of a volume group [P-CREATE-10]. LVM describes the volumes
// of a group in one text, whose length is limited by the smallest area. Pure.
#pragma once

#include <span>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// A lower bound in bytes for the text of a new volume without tags.
inline constexpr Bytes kLeastVolumeText{240};

// A lower bound for the text of a new volume with these tags.
[[nodiscard]] Bytes least_text(std::span<const std::string> tags);
// An upper bound for the text of a new volume with these tags and `areas` parallel areas (stripes,
// images).
[[nodiscard]] Bytes most_text(std::span<const std::string> tags, std::uint32_t areas);

// ResourceExhausted if the text cannot grow by `longer`; the message describes what to do. OK if
// the free space is unknown.
[[nodiscard]] Status check_metadata_space(const VolumeGroup& group, Bytes longer);

// True if less than a tenth of the space is left.
[[nodiscard]] bool is_metadata_nearly_full(const VolumeGroup& group);

}  // namespace lvmd::model
