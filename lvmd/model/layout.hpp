// How lvcreate distributes a new volume over PVs, computed from its arguments. Pure.
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

// LVM's allocation policies, the strictest first. lvmd does not compute "anywhere".
enum class AllocationPolicy : std::uint8_t { kContiguous, kCling, kNormal };

struct Layout {
  // The number of data stripes. Sizes are rounded up to a multiple of this number of extents.
  std::uint32_t stripes = 1;
  // The number of images of a mirror, RAID 1 or RAID 10; otherwise 1.
  std::uint32_t copies = 1;
  // The number of parity stripes: 1 for RAID 4 and 5, 2 for RAID 6, otherwise 0.
  std::uint32_t parity = 0;
  // True if each image has a metadata volume.
  bool raid_metadata = false;
  // The number of disk logs of a volume of type "mirror".
  std::uint32_t logs = 0;
  // Determines the size of RAID metadata and mirror logs.
  Bytes region_size{std::uint64_t{2} << 20U};
  AllocationPolicy policy = AllocationPolicy::kNormal;
  // The PVs that may be used, as named in the arguments. Empty: all PVs of the group.
  std::vector<std::string> devices;
  // False if lvmd does not know the effect of an argument on the space. Then only `stripes` is
  // valid, as far as the arguments set it.
  bool computable = true;

  // The number of PVs that hold each part of the volume.
  [[nodiscard]] std::uint32_t areas() const { return stripes * copies + parity; }

  friend bool operator==(const Layout&, const Layout&) = default;
};

// The layout of a new volume with these arguments. LVM's defaults apply to settings that the
// arguments do not set.
[[nodiscard]] Layout layout_of(std::span<const std::string> arguments);

// The layout with which an existing volume grows, from its segment type and number of stripes or
// images. For a type that lvmd does not know (such as a cached volume): one linear area.
[[nodiscard]] Layout layout_of(const LogicalVolume& lv);

// The lvcreate arguments that define the layout of a new volume of the class: the class's stripe
// settings and options or, if `option_class` is not null, only its options [P-CREATE-3,
// P-CREATE-4]. The stripe settings do not apply to a thin class [P-CREATE-2].
[[nodiscard]] std::vector<std::string> lvcreate_arguments(const DeviceClass& device_class,
                                                          const OptionClass* option_class);

}  // namespace lvmd::model
