#include "lvmd/volumes/worker/blank_volume.hpp"

#include "lvmd/base/reason.hpp"
#include "lvmd/probe/blankness.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {

Status check_blank(const model::LogicalVolume& lv) {
  if (!lv.is_active())
    return fail(Code::kFailedPrecondition,
                "volume {} is not active: activate it with `lvchange -ay {}`", lv.name, lv.path)
        .because(reason::kVolumeInactive);
  const auto node = kernel_node(*lv.device);
  if (!node) return std::unexpected(node.error());
  const auto found = probe::why_not_blank(*node);
  if (!found) return std::unexpected(found.error());
  if (!*found) return {};
  return fail(Code::kFailedPrecondition, "volume {} is not blank: {}", lv.name, (*found)->why)
      .because(reason::kVolumeNotBlank);
}

}  // namespace lvmd::volumes::worker
