#include "lvmd/volumes/worker/new_volume.hpp"

#include <fmt/format.h>

#include "lvmd/probe/signatures.hpp"
#include "lvmd/volumes/worker/announcement.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {

namespace {

// A new thin volume reads as zeros. Writing zeros would allocate space in the pool.
Status expect_blank(const std::string& node) {
  const auto found = probe::signatures(node);
  if (!found) return std::unexpected(found.error());
  return found->empty() ? Status{} : probe::make_blank(node);
}

}  // namespace

std::optional<lvm::LvmCommand> next_step(const model::VolumeGroup& group,
                                         const model::LogicalVolume& lv, const Intent& intent) {
  const std::string path = fmt::format("{}/{}", group.name, lv.name);
  if (intent.ownership.access_type == "ro" && lv.writable)
    return lvm::LvmCommand{"lvchange"}.flag("-y").option("-p", "r").operand(path);
  if (!lv.is_active()) return activate_command(path);
  if (lv.size < intent.ownership.size)
    return resize_command(group.name, lv.name,
                          {intent.ownership.size.value / group.extent_size.value},
                          /*udev_sync=*/true);
  return std::nullopt;
}

Status make_ready(const model::LogicalVolume& lv, const Intent& intent, LvmExecutor& executor) {
  if (!lv.is_active()) return fail(Code::kInternal, "{} is not active", lv.path);
  if (intent.kind == Intent::Kind::kCreate) {
    const auto node = kernel_node(*lv.device);
    if (!node) return std::unexpected(node.error());
    const auto step = executor.announce("blkid", lv.name, kProbeLimit);
    if (auto blank =
            lv.role == model::LvRole::kThin ? expect_blank(*node) : probe::make_blank(*node);
        !blank)
      return blank;
  }
  await_removals(lv, executor);
  const VolumeLinks links = links_of(executor.volume_group(), lv.name);
  if (auto linked = make_links(links, *lv.device); !linked) return linked;
  if (intent.kind == Intent::Kind::kCreate && lv.role != model::LvRole::kThin)
    executor.scan_later(lv);
  return {};
}

}  // namespace lvmd::volumes::worker
