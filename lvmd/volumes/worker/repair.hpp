// Are the volumes that lvmd made still as they were made? Looked at once by each worker, in small
// steps between requests. Rules P-REPAIR-1 and P-REPAIR-2.
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

// Something about a volume that is not as it was made.
struct Finding {
  // "is not active", to go behind the volume's name.
  std::string what;
  // What repairs it. Nothing: a person did it, or has to decide; it is only told.
  std::optional<lvm::LvmCommand> repair{};
  // The command that this person could type, where there is no repair, without its operand.
  std::string advice{};
};

// What is to be told or repaired about `lv`: a volume with lvmd's tags, or a thin pool. A volume
// that is not active is repaired when `activate` is set, else told. Links in /dev are not looked
// at.
[[nodiscard]] std::vector<Finding> inspect(const model::LogicalVolume& lv, const std::string& path,
                                           bool activate);

// One thread.
class Repair {
 public:
  using Names = std::set<std::string, std::less<>>;

  // `activated` says that the volumes of the group have been activated since the boot.
  Repair(std::string volume_group, BootMark activated, LvmExecutor& executor);

  // When step() has something to do: at once, later, or, if absent, not before wake().
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  // The group, which could not be read, may be there now.
  void wake() { asleep_ = false; }
  // Does one thing: runs one LVM command at most. Volumes in `skipped` are not looked at. True
  // when the repair of volumes has come to its end and changed something.
  [[nodiscard]] bool step(GroupReader& reader, const Names& skipped);

 private:
  enum class Stage { kLook, kVolumes, kLinks, kDone };

  void look(const model::VolumeGroup& group, const Names& skipped);
  [[nodiscard]] bool repair_one(const model::VolumeGroup& group);
  void repair_links(const model::VolumeGroup& group);

  std::string volume_group_;
  BootMark activated_;
  LvmExecutor& executor_;
  Stage stage_ = Stage::kLook;
  bool asleep_ = false;
  bool activate_ = false;
  bool changed_ = false;
  // Ids of the volumes that are still to be repaired.
  std::deque<std::string> waiting_;
  // A link that is not there by then is not coming.
  std::chrono::steady_clock::time_point links_due_;
};

}  // namespace lvmd::volumes::worker
