// What the volumes of a group make of each other.
#pragma once

#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/lv_parser.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Gives `group` the volumes, which come in the order of the text: sorted by name, with the marks
// that others put on them, without the snapshot pairs that are no volumes. Unimplemented when a
// name is there twice, or a volume names another one that isn't there or can't be what it is named
// for.
[[nodiscard]] Status connect(std::vector<ParsedLv> parsed, VolumeGroupMetadata& group);

}  // namespace lvmd::metadata
