// Resolves the references between the volumes of a group.
#pragma once

#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/lv_parser.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Adds the volumes `parsed`, which are in the order of the text, to `group`: sorted by name, with
// the marks that references set, and without the snapshot pairs, which are not volumes.
// Unimplemented if a name exists twice, or if a reference names a volume that does not exist or has
// the wrong type.
[[nodiscard]] Status connect(std::vector<ParsedLv> parsed, VolumeGroupMetadata& group);

}  // namespace lvmd::metadata
