#include "lvmd/model/pool_health.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "lvmd/base/reason.hpp"

namespace lvmd::model {
namespace {

std::unexpected<Error> unusable(const ThinPoolTarget& pool, std::string why) {
  return fail(Code::kUnavailable, "{}", std::move(why))
      .because(reason::kPoolUnavailable)
      .with(key::kPool, pool.name);
}

// Describes why the pool `name` ("vg0/pool0") cannot be changed, and what to do. Empty if it can be
// changed.
std::string trouble_of(const std::string& name, const PoolCondition& condition) {
  switch (condition.health()) {
    case PoolHealth::kOk:
    case PoolHealth::kOutOfDataSpace:
      return {};
    case PoolHealth::kReadOnly:
      return fmt::format(
          "thin pool {0} is read-only: its metadata space is full, or could not be written. Extend "
          "the metadata space (lvextend --poolmetadatasize +SIZE {0}). If the pool stays "
          "read-only, "
          "deactivate its volumes and repair the pool (lvconvert --repair {0})",
          name);
    case PoolHealth::kNeedsCheck:
      return fmt::format(
          "the metadata of thin pool {0} needs a check: deactivate its volumes and the pool "
          "(lvchange -an), and activate them with --config "
          "'global/thin_check_options=[\"-q\",\"--clear-needs-check-flag\"]', which checks the "
          "metadata and clears the flag. If the check finds damage, repair the pool first "
          "(lvconvert --repair {0})",
          name);
    case PoolHealth::kFailed:
      return fmt::format(
          "thin pool {0} has failed, and so have all volumes in it: check its disks, deactivate "
          "its "
          "volumes (lvchange -an), and repair the pool (lvconvert --repair {0})",
          name);
    case PoolHealth::kError:
      return fmt::format(
          "the kernel cannot read the metadata of thin pool {0}: check its disks, deactivate its "
          "volumes (lvchange -an), and repair the pool (lvconvert --repair {0})",
          name);
    case PoolHealth::kTransactionMismatch:
      return fmt::format(
          "thin pool {0} has transaction id {1} in the kernel and {2} in LVM's metadata, so one of "
          "the two is outdated. Restore LVM metadata with transaction_id = {1} for this pool with "
          "`vgcfgrestore --force -f FILE {3}`. `vgcfgrestore --list {3}` lists the archived files. "
          "If "
          "none has this id, save the present metadata (`vgcfgbackup -f FILE {3}`) and change the "
          "id "
          "in the file",
          name, condition.kernel_transaction, condition.metadata_transaction,
          name.substr(0, name.find('/')));
  }
  return {};
}

}  // namespace

PoolHealth kernel_health(const ThinPoolState& pool) {
  if (pool.error) return PoolHealth::kError;
  if (pool.failed) return PoolHealth::kFailed;
  if (pool.needs_check) return PoolHealth::kNeedsCheck;
  if (pool.read_only) return PoolHealth::kReadOnly;
  return pool.out_of_data_space ? PoolHealth::kOutOfDataSpace : PoolHealth::kOk;
}

std::string_view to_string(PoolHealth health) {
  // In the order of the enum.
  constexpr auto kNames =
      std::to_array<std::string_view>({"ok", "out_of_data_space", "read_only", "needs_check",
                                       "failed", "error", "transaction_id_mismatch"});
  const auto number = static_cast<std::size_t>(health);
  return number < kNames.size() ? kNames[number] : "unknown";
}

Result<const LogicalVolume*> find_thin_pool(const VolumeGroup& group, const ThinPoolTarget& pool) {
  const LogicalVolume* const found = group.find(pool.name);
  if (found == nullptr)
    return unusable(pool, fmt::format("thin pool {}/{} does not exist", group.name, pool.name));
  if (found->role != LvRole::kThinPool)
    return unusable(pool, fmt::format("{}/{} is not a thin pool", group.name, pool.name));
  return found;
}

Result<const LogicalVolume*> find_usable_pool(const VolumeGroup& group,
                                              const ThinPoolTarget& pool) {
  const auto found = find_thin_pool(group, pool);
  if (!found) return found;
  const LogicalVolume& lv = **found;
  if (!lv.pool_condition) return found;
  const std::string name = fmt::format("{}/{}", group.name, pool.name);
  if (auto trouble = trouble_of(name, *lv.pool_condition); !trouble.empty())
    return unusable(pool, std::move(trouble));
  // Without the usage, lvmd could not enforce the high-water marks.
  if (!lv.usage)
    return unusable(pool, fmt::format("the usage of thin pool {} is unknown: try again", name));
  return found;
}

Status check_pool_exists(const VolumeGroup& group, const DeviceClass& device_class) {
  if (device_class.thin_pool)
    if (const auto pool = find_thin_pool(group, *device_class.thin_pool); !pool)
      return std::unexpected(pool.error());
  return {};
}

Status check_pool_usable(const VolumeGroup& group, const DeviceClass& device_class) {
  if (device_class.thin_pool)
    if (const auto pool = find_usable_pool(group, *device_class.thin_pool); !pool)
      return std::unexpected(pool.error());
  return {};
}

bool is_out_of_data_space(const LogicalVolume& pool) {
  return pool.pool_condition && pool.pool_condition->health() == PoolHealth::kOutOfDataSpace;
}

}  // namespace lvmd::model
