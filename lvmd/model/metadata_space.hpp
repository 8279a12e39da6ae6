// Whether the metadata of a volume group has room for more: LVM describes each volume in a text of
// limited length.
#pragma once

#include <span>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// No text for a new volume is shorter than this many bytes, its tags not counted.
inline constexpr Bytes kLeastVolumeText{240};

// How much longer the text gets at least by a volume with these tags.
[[nodiscard]] Bytes least_text(std::span<const std::string> tags);
// And at most, of a volume that lies in `areas` areas at a time (stripes, images).
[[nodiscard]] Bytes most_text(std::span<const std::string> tags, std::uint32_t areas);

// ResourceExhausted, saying what to do, when the text can't become `longer` by that much. Passes
// while the room is unknown.
[[nodiscard]] Status check_metadata_space(const VolumeGroup& group, Bytes longer);

// Less than a tenth is left.
[[nodiscard]] bool is_metadata_nearly_full(const VolumeGroup& group);

}  // namespace lvmd::model
