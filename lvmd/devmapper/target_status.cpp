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

// The result of one of libdevmapper's parsers; false if the line is not such a status.
template <typename T>
class Parsed {
 public:
  Parsed(int (*parser)(dm_pool*, const char*, T**), const std::string& line)
      : memory_(dm_pool_create("target status", 1024)) {
    if (!memory_) throw std::bad_alloc{};
    if (parser(memory_.get(), line.c_str(), &status_) == 0) status_ = nullptr;
  }
  explicit operator bool() const { return status_ != nullptr; }
  const T* operator->() const { return status_; }

 private:
  UniqueC<dm_pool, &dm_pool_destroy> memory_;
  T* status_ = nullptr;
};

std::unexpected<Error> not_status(std::string_view target, const std::string& line) {
  return fail(Code::kInternal, "\"{}\" is not the status of a {} target", line, target);
}

double percent(std::uint64_t used, std::uint64_t total) {
  return total == 0 ? 0 : 100.0 * static_cast<double>(used) / static_cast<double>(total);
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
  const Parsed status{&dm_get_status_raid, line};
  if (!status) return not_status("raid", line);
  return model::RaidStatus{.health = status->dev_health != nullptr ? status->dev_health : "",
                           .mismatches = status->mismatch_count,
                           .action = status->sync_action != nullptr ? status->sync_action : ""};
}

Result<model::TargetStatus> parse_mirror(const std::string& line,
                                         const model::TargetStatus& before) {
  const Parsed status{&dm_get_status_mirror, line};
  if (!status) return not_status("mirror", line);
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
  const Parsed status{&dm_get_status_cache, line};
  if (!status) return not_status("cache", line);
  return model::CacheStatus{.failed = status->fail != 0,
                            .read_only = status->read_only != 0,
                            .needs_check = status->needs_check != 0};
}

Result<model::TargetStatus> parse_snapshot(const std::string& line, bool is_merge) {
  const Parsed status{&dm_get_status_snapshot, line};
  if (!status) return not_status("snapshot", line);
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

Result<model::ThinPoolState> parse_thin_pool_status(const std::string& line) {
  const Parsed status{&dm_get_status_thin_pool, line};
  if (!status) return fail(Code::kInternal, "\"{}\" is not the status of a thin pool", line);
  model::ThinPoolState state;
  state.failed = status->fail != 0 || status->error != 0;
  state.error = status->error != 0;
  state.transaction_id = status->transaction_id;
  state.out_of_data_space = status->out_of_data_space != 0;
  state.read_only = status->read_only != 0;
  state.needs_check = status->needs_check != 0;
  if (!state.failed)
    state.usage = model::PoolUsage{
        .data_percent = percent(status->used_data_blocks, status->total_data_blocks),
        .metadata_percent = percent(status->used_metadata_blocks, status->total_metadata_blocks)};
  return state;
}

}  // namespace lvmd::devmapper
