// Metadata text → value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// LVM starts each text in a metadata area with the group's name: true when it is `name`.
[[nodiscard]] bool is_text_of(std::string_view text, std::string_view name);

// What must be known to choose between several texts.
struct TextSummary {
  std::string id;
  std::uint64_t seqno = 0;
};
[[nodiscard]] Result<TextSummary> summarize(const ConfigTree& tree, const std::string& name);

// The group as its text describes it, no devices attached. `accepted_system_id` is the LVM system
// ID that LVM accepts for the group, empty when it accepts none. Errors:
//   Unavailable    LVM wouldn't let this host use the group: exported, another host's system ID,
//                  a lock_type (lvmlockd), clustered. The message says which.
//   Unimplemented  a segment type, status or flag that isn't known here, or a text that breaks a
//                  rule of the format; the message names it. LVM's own report may know more.
[[nodiscard]] Result<VolumeGroupMetadata> parse_group(const ConfigTree& tree,
                                                      const std::string& name,
                                                      std::string_view accepted_system_id);

}  // namespace lvmd::metadata
