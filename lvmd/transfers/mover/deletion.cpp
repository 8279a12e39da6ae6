#include <string>
#include <vector>

#include "lvmd/transfers/mover/task.hpp"

namespace lvmd::transfers::mover {

StepResult<void> delete_backup(const Task& task) {
  const auto there = task.restic.open();
  if (!there) return std::unexpected(there.error());
  if (!*there) return {};
  if (auto removed = task.restic.remove_dead_locks(); !removed) return removed;
  const auto snapshots = task.restic.snapshots_of(task.job.backup_id());
  if (!snapshots) return std::unexpected(snapshots.error());
  std::vector<std::string> ids;
  for (const Snapshot& snapshot : *snapshots) ids.push_back(snapshot.id);
  task.record().step("deleting");
  const ResticCommands& commands = task.restic.commands();
  // Without a snapshot, prune still removes data that an interrupted backup or deletion left.
  return task.restic.run({.name = ids.empty() ? "prune" : "forget",
                          .command = ids.empty() ? commands.prune() : commands.forget(ids)});
}

}  // namespace lvmd::transfers::mover
