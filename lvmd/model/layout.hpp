// How lvcreate would spread a new volume over PVs: what its arguments say of that, in numbers.
//
// Source of the rules: lvmraid(7), and lvm2's tools/lvcreate.c for the defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/model/units.hpp"

namespace lvmd::model {

// LVM's allocation policies, the strictest first. "anywhere" is not computed.
enum class AllocationPolicy : std::uint8_t { kContiguous, kCling, kNormal };

struct Layout {
  // Data stripes: a size is rounded up to so many extents.
  std::uint32_t stripes = 1;
  // Images of a mirror or RAID 1 or 10; 1 otherwise.
  std::uint32_t copies = 1;
  // Stripes that hold parity: 1 for RAID 4 and 5, 2 for RAID 6.
  std::uint32_t parity = 0;
  // Each image has metadata of its own.
  bool raid_metadata = false;
  // Disk logs of a "mirror".
  std::uint32_t logs = 0;
  // Decides how large RAID metadata and logs are.
  Bytes region_size{std::uint64_t{2} << 20U};
  AllocationPolicy policy = AllocationPolicy::kNormal;
  // PVs that alone may be used, as the arguments name them; empty: all of the group.
  std::vector<std::string> devices;
  // False when an argument is among them whose effect on space lvmd doesn't know; `stripes` is as
  // good as the arguments tell.
  bool computable = true;

  // How many PVs each piece of the volume takes.
  [[nodiscard]] std::uint32_t areas() const { return stripes * copies + parity; }

  friend bool operator==(const Layout&, const Layout&) = default;
};

// What the arguments make of a volume, with LVM's own defaults for what they leave open.
[[nodiscard]] Layout layout_of(std::span<const std::string> arguments);

// How a volume that exists is laid out, from its segment type and number of stripes or images: what
// it grows by. Of a type that lvmd doesn't know (a cached volume), one linear area.
[[nodiscard]] Layout layout_of(const LogicalVolume& lv);

// The arguments of lvcreate that say how a volume of the class is laid out: the class's stripe
// settings and options, or those of `option_class` instead of both (P-CREATE-3, P-CREATE-4). Null:
// none. A thin class has no stripes (P-CREATE-2).
[[nodiscard]] std::vector<std::string> lvcreate_arguments(const DeviceClass& device_class,
                                                          const OptionClass* option_class);

}  // namespace lvmd::model
