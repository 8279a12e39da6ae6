#include "lvmd/metadata/pv_table.hpp"

#include <algorithm>

namespace lvmd::metadata {

bool PvTable::add(const std::string& key, std::uint64_t extents) {
  if (!index_by_key_.emplace(key, usage_.size()).second) return false;
  usage_.push_back({.extents = extents, .taken = {}});
  return true;
}

Result<std::size_t> PvTable::take(const ConfigSection& segment, std::string_view key,
                                  std::uint64_t start, std::uint64_t count) {
  const auto found = index_by_key_.find(key);
  if (found == index_by_key_.end())
    return fail(Code::kUnimplemented, "{}: {} is not a physical volume", segment.path(), key);
  Usage& usage = usage_[found->second];
  if (start > usage.extents || count > usage.extents - start)
    return fail(Code::kUnimplemented, "{}: the area on {} ends after its last extent",
                segment.path(), key);
  usage.taken.push_back({.start = start, .count = count});
  return found->second;
}

Status PvTable::count_free(std::vector<model::PhysicalVolume>& volumes) const {
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    model::PhysicalVolume& pv = volumes[i];
    std::vector<Area> taken = usage_[i].taken;
    std::ranges::sort(taken, {}, &Area::start);
    // An empty area at the end, so that the gap before it is counted.
    taken.push_back({.start = usage_[i].extents, .count = 0});
    std::uint64_t next = 0;
    for (const Area& area : taken) {
      if (area.start < next)
        return fail(Code::kUnimplemented, "two segments use extent {} of physical volume {}",
                    area.start, pv.id);
      if (area.start > next) pv.free_areas.push_back({area.start - next});
      pv.free.value += area.start - next;
      next = area.start + area.count;
    }
  }
  return {};
}

}  // namespace lvmd::metadata
