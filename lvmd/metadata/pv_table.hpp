// The PVs of a metadata text and their used extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::metadata {

class PvTable {
 public:
  // Adds a PV. `key` is its name in segments ("pv0"). Its index is the number of PVs added before.
  // Returns false if the key already exists.
  [[nodiscard]] bool add(const std::string& key, std::uint64_t extents);

  [[nodiscard]] bool has(std::string_view key) const { return index_by_key_.contains(key); }

  // Marks `count` extents from `start` as used and returns the index of the PV. Unimplemented, with
  // the path of `segment`, if there is no such PV or it is too small.
  [[nodiscard]] Result<std::size_t> take(const ConfigSection& segment, std::string_view key,
                                         std::uint64_t start, std::uint64_t count);

  // Sets `free` and `free_areas` of the PVs, which are in the order of their indexes. Unimplemented
  // if two segments use the same extent.
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
