#include "lvmd/volumes/worker/recovery.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/devmapper/resume.hpp"
#include "lvmd/lvm/vg_lock.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/device_checks.hpp"
#include "lvmd/volumes/worker/new_volume.hpp"
#include "lvmd/volumes/worker/removal.hpp"
#include "lvmd/volumes/worker/udev_sync.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {
namespace {

// Above the largest number of steps that an intent needs.
constexpr int kMostSteps = 6;

enum class Progress { kSettled, kContinue };

// True if the kernel's table is older than the metadata, or the device is suspended.
bool is_stale(const model::LogicalVolume& lv) {
  if (!lv.is_active()) return false;
  if (lv.device->suspended) return true;
  const auto size = device_size(*lv.device);
  return size && *size != lv.size;
}

Result<Progress> run(LvmExecutor& executor, const lvm::LvmCommand& command) {
  if (auto done = executor.run(command); !done) return std::unexpected(done.error());
  return Progress::kContinue;
}

Result<Progress> remove(const model::VolumeGroup& group, const model::LogicalVolume& lv,
                        const Intent& intent, GroupReader& reader, LvmExecutor& executor) {
  Status removable = check_not_needed(group, lv);
  if (removable) removable = check_unused(group.id, lv);
  if (!removable) {
    // The client received no response and repeats its request.
    if (intent.kind == Intent::Kind::kRemove && removable.error().code == Code::kFailedPrecondition)
      // The interrupted removal may have deactivated it.
      return lv.is_active() ? Progress::kSettled
                            : run(executor, activate_command(executor.path(lv.name)));
    return std::unexpected(removable.error());
  }
  const auto removed =
      run(executor, remove_command(group.name, lv.name, needs_udev_sync(group, lv)));
  if (const model::VgState after = reader.read(); removed && after.group) {
    if (after.group->find(lv.name) == nullptr) remove_links(lv, executor);
    if (auto kept = check_nothing_lost(group, *after.group, lv); !kept)
      return std::unexpected(kept.error());
  }
  return removed;
}

// Removes the volume if it cannot be completed; no client has received it (P-INTENT-6). LVM commits
// a new thin volume before it sends the pool the message that creates it. If that message was not
// sent, LVM cannot activate the volume, and only lvremove or the next lvcreate sends the message.
Result<Progress> complete(const model::VolumeGroup& group, const model::LogicalVolume& lv,
                          const Intent& intent, GroupReader& reader, LvmExecutor& executor) {
  if (const auto next = next_step(group, lv, intent)) {
    auto done = run(executor, *next);
    if (done || done.error().reason != reason::kLvmFailed) return done;
    log::warning(fmt::format("cannot complete the new volume {}: removing it (no client has "
                             "received it)",
                             executor.path(lv.name)),
                 {{log::kVg, group.name}, {log::kLv, lv.name}});
    return remove(group, lv, intent, reader, executor);
  }
  if (auto ready = make_ready(lv, intent, executor); !ready) return std::unexpected(ready.error());
  return Progress::kSettled;
}

Result<Progress> step(const Intent& intent, GroupReader& reader, LvmExecutor& executor) {
  const model::VgState state = reader.read();
  if (!state.group) return std::unexpected(state.group.error());
  const model::VolumeGroup& group = *state.group;
  if (group.id != intent.vg_id) return Progress::kSettled;
  const model::LogicalVolume* const lv = group.find(intent.volume);
  if (lv == nullptr || !intent.is_about(*lv)) return Progress::kSettled;
  if (!intent.is_recent(group))
    return fail(Code::kFailedPrecondition,
                "{} started at change {} of the group, which is now at change {}: too long ago to "
                "be finished automatically",
                to_string(intent.kind), intent.seqno, group.seqno);
  switch (intent.kind) {
    case Intent::Kind::kCreate:
    case Intent::Kind::kSnapshot:
      return complete(group, *lv, intent, reader, executor);
    case Intent::Kind::kResize:
      return is_stale(*lv) ? run(executor, refresh_command(executor.path(lv->name)))
                           : Progress::kSettled;
    case Intent::Kind::kRemove:
    case Intent::Kind::kUndo:
      return remove(group, *lv, intent, reader, executor);
  }
  return fail(Code::kInternal, "unknown kind of intent");
}

}  // namespace

bool resume_interrupted(const std::string& volume_group, const std::vector<Intent>& intents,
                        const std::set<std::string, std::less<>>& pools) {
  std::map<std::string, std::set<std::string, std::less<>>> volumes_by_group_id;
  for (const Intent& intent : intents) {
    auto& volumes = volumes_by_group_id[intent.vg_id];
    volumes.insert(pools.begin(), pools.end());
    volumes.insert(intent.volume);
    if (!intent.ownership.source.empty()) volumes.insert(intent.ownership.source);
  }
  if (volumes_by_group_id.empty()) return true;
  const auto lock = lvm::take_vg_lock(volume_group);
  if (lock && !*lock) return false;
  for (const auto& [group_id, volumes] : volumes_by_group_id) {
    const auto resumed = lock ? devmapper::resume_volumes(volume_group, group_id, volumes)
                              : Result<std::vector<std::string>>{std::unexpected(lock.error())};
    if (!resumed) {
      log::warning(fmt::format("cannot resume the devices that an interrupted change of volume "
                               "group {} may have left suspended: {}",
                               volume_group, resumed.error().message),
                   {{log::kVg, volume_group}});
      continue;
    }
    for (const std::string& device : *resumed)
      log::notice(fmt::format("{} was left suspended by an interrupted change, which blocked all "
                              "reads and writes: resumed it",
                              device),
                  {{log::kVg, volume_group}});
  }
  return true;
}

Status settle(const Intent& intent, GroupReader& group, LvmExecutor& executor) {
  for (int count = 0; count < kMostSteps; ++count) {
    const auto progress = step(intent, group, executor);
    if (!progress) return std::unexpected(progress.error());
    if (*progress == Progress::kSettled) return {};
  }
  return fail(Code::kInternal, "{} of {} is not finished after {} steps", to_string(intent.kind),
              executor.path(intent.volume), kMostSteps);
}

}  // namespace lvmd::volumes::worker
