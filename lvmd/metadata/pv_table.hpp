// The physical volumes of a metadata text, and which of their extents volumes take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::metadata {

class PvTable {
 public:
  // `key` is the name that segments use for it ("pv0"). Its index is the number of those added
  // before. False when the key is there already.
  [[nodiscard]] bool add(const std::string& key, std::uint64_t extents);

  [[nodiscard]] bool has(std::string_view key) const { return index_by_key_.contains(key); }

  // `count` extents from `start` on are taken; gives the index of the volume. Unimplemented, naming
  // `segment`, when there is no such volume or it ends before.
  [[nodiscard]] Result<std::size_t> take(const std::string& segment, std::string_view key,
                                         std::uint64_t start, std::uint64_t count);

  // Fills `free` and `free_areas` of the volumes, which are in the order of their indexes.
  // Unimplemented when two segments took the same extent.
  [[nodiscard]] Status count_free(std::vector<model::PhysicalVolume>& volumes) const;

 private:
  struct Area {
    std::uint64_t start = 0;
    std::uint64_t count = 0;
  };
  struct Usage {
    std::uint64_t extents = 0;
    std::vector<Area> taken;
  };

  std::map<std::string, std::size_t, std::less<>> index_by_key_;
  std::vector<Usage> usage_;
};

}  // namespace lvmd::metadata
