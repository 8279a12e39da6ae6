// Parses the metadata text of a volume group. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// True if the text describes the group `name`: a text begins with the name of its group.
[[nodiscard]] bool is_text_of(std::string_view text, std::string_view name);

// The fields that decide between several texts.
struct TextSummary {
  std::string id;
  std::uint64_t seqno = 0;
};
[[nodiscard]] Result<TextSummary> summarize(const ConfigTree& tree, const std::string& name);

// The group in the text, without devices. `accepted_system_id` is the LVM system ID that LVM
// accepts for the group; empty: none. Errors:
//   Unavailable    LVM does not allow this host to use the group: it is exported, clustered, has
//   the
//                  system ID of another host, or a lock_type (lvmlockd). The message has the
//                  reason.
//   Unimplemented  an unknown segment type, status or flag, or a text that breaks a rule of the
//                  format; the message names it. The group must be read from LVM's report.
[[nodiscard]] Result<VolumeGroupMetadata> parse_group(const ConfigTree& tree,
                                                      const std::string& name,
                                                      std::string_view accepted_system_id);

}  // namespace lvmd::metadata
