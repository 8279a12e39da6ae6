#include "lvmd/devmapper/target_status.hpp"

#include <libdevmapper.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::devmapper {
namespace {

using Memory = UniqueC<dm_pool, &dm_pool_destroy>;

Memory make_memory() {
  Memory memory{dm_pool_create("target status", 1024)};
  if (!memory) throw std::bad_alloc{};
  return memory;
}

std::unexpected<Error> not_status(std::string_view target, const std::string& line) {
  return fail(Code::kInternal, "\"{}\" is not the status of a {} target", line, target);
}

// The line has "type legs health in-sync/all" and, since Linux 3.11, "action mismatches" and more.
// If only the first of these two is present, libdevmapper reads beyond the end of the line.
bool ends_amid_action(const std::string& line) {
  constexpr int kFieldsWithAction = 5;
  std::istringstream fields{line};
  int count = 0;
  for (std::string field; fields >> field;) ++count;
  return count == kFieldsWithAction;
}

Result<model::TargetStatus> parse_raid(const std::string& line) {
  if (ends_amid_action(line)) return not_status("raid", line);
  const Memory memory = make_memory();
  dm_status_raid* status = nullptr;
  if (dm_get_status_raid(memory.get(), line.c_str(), &status) == 0) return not_status("raid", line);
  return model::RaidStatus{.health = status->dev_health != nullptr ? status->dev_health : "",
                           .mismatches = status->mismatch_count,
                           .action = status->sync_action != nullptr ? status->sync_action : ""};
}

Result<model::TargetStatus> parse_mirror(const std::string& line,
                                         const model::TargetStatus& before) {
  const Memory memory = make_memory();
  dm_status_mirror* status = nullptr;
  if (dm_get_status_mirror(memory.get(), line.c_str(), &status) == 0)
    return not_status("mirror", line);
  model::MirrorStatus sum;
  if (const auto* const others = std::get_if<model::MirrorStatus>(&before)) sum = *others;
  sum.regions_in_sync += status->insync_regions;
  sum.regions += status->total_regions;
  for (std::uint32_t i = 0; i < status->dev_count; ++i) {
    // For an unknown letter, libdevmapper stores a value outside of the enumeration.
    std::underlying_type_t<dm_status_mirror_health_t> health{};
    std::memcpy(&health, &status->devs[i].health, sizeof health);
    sum.leg_failed = sum.leg_failed || health != DM_STATUS_MIRROR_ALIVE;
  }
  return sum;
}

Result<model::TargetStatus> parse_cache(const std::string& line) {
  const Memory memory = make_memory();
  dm_status_cache* status = nullptr;
  if (dm_get_status_cache(memory.get(), line.c_str(), &status) == 0)
    return not_status("cache", line);
  return model::CacheStatus{.failed = status->fail != 0,
                            .read_only = status->read_only != 0,
                            .needs_check = status->needs_check != 0};
}

Result<model::TargetStatus> parse_snapshot(const std::string& line, bool is_merge) {
  const Memory memory = make_memory();
  dm_status_snapshot* status = nullptr;
  if (dm_get_status_snapshot(memory.get(), line.c_str(), &status) == 0)
    return not_status("snapshot", line);
  return model::CowSnapshotStatus{.is_merge = is_merge,
                                  .invalid = status->invalid != 0,
                                  .merge_failed = status->merge_failed != 0};
}

// The first number is the error of the device; 0: none.
Result<model::TargetStatus> parse_writecache(const std::string& line) {
  long long error = 0;
  const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), error);
  if (problem != std::errc{} || (end != line.data() + line.size() && *end != ' '))
    return not_status("writecache", line);
  return model::WritecacheStatus{.failed = error != 0};
}

}  // namespace

Result<model::TargetStatus> parse_target_status(std::string_view target, const std::string& line,
                                                const model::TargetStatus& before) {
  if (target == "raid") return parse_raid(line);
  if (target == "mirror") return parse_mirror(line, before);
  if (target == "cache") return parse_cache(line);
  if (target == "writecache") return parse_writecache(line);
  if (target == "snapshot" || target == "snapshot-merge")
    return parse_snapshot(line, target == "snapshot-merge");
  return before;
}

}  // namespace lvmd::devmapper
