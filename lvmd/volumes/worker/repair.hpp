// Checks once per worker, in small steps between requests, that lvmd's volumes are as they were
// created, and repairs them. Rules P-REPAIR-1 and P-REPAIR-2.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lvmd/lvm/lvm_command.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/boot_mark.hpp"
#include "lvmd/volumes/worker/group_reader.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// A difference between a volume and the volume that was created.
struct Finding {
  // The predicate for the volume's name, for example "is not active".
  std::string what;
  // The command that repairs it. Absent if it may be intended: lvmd only logs it.
  std::optional<lvm::LvmCommand> repair{};
  // Without a repair: the command, without its operand, that an administrator can run.
  std::string advice{};
};

// The findings for `lv`; empty unless it is a volume with lvmd's tags or a thin pool. `activate`: a
// volume that is not active is repaired, not only logged. Does not check links in /dev. Reads the
// device's size from sysfs.
[[nodiscard]] std::vector<Finding> inspect(const model::LogicalVolume& lv, const std::string& path,
                                           bool activate);

// One thread.
class Repair {
 public:
  using Names = std::set<std::string, std::less<>>;

  // `activated` records that the group's volumes have been activated since the boot.
  Repair(std::string volume_group, BootMark activated, LvmExecutor& executor);

  // The time until step() has work; 0: now; absent: none before wake().
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  // Call when the group may be readable again.
  void wake() { asleep_ = false; }
  // Runs at most one LVM command. Ignores the volumes in `skipped`. True if the repair of volumes
  // has finished and has run a command.
  [[nodiscard]] bool step(GroupReader& reader, const Names& skipped);

 private:
  enum class Stage { kInspect, kRepair, kLinks, kDone };

  void inspect_all(const model::VolumeGroup& group, const Names& skipped);
  [[nodiscard]] bool repair_one(const model::VolumeGroup& group);
  void repair_links(const model::VolumeGroup& group);

  std::string volume_group_;
  BootMark activated_;
  LvmExecutor& executor_;
  Stage stage_ = Stage::kInspect;
  bool asleep_ = false;
  bool activate_ = false;
  bool changed_ = false;
  // The IDs of the volumes to repair.
  std::deque<std::string> waiting_;
  // The time from which a missing link counts as lost.
  std::chrono::steady_clock::time_point links_due_;
};

}  // namespace lvmd::volumes::worker
