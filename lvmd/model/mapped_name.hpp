// The names that LVM gives to its device-mapper devices: VG and LV joined by '-', each '-' inside
// them doubled. Pure. Source: LVM2's dm_build_dm_name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lvmd::model {

[[nodiscard]] std::string mapped_name(std::string_view volume_group, std::string_view volume);

struct VolumeName {
  std::string volume_group;
  std::string volume;

  friend bool operator==(const VolumeName&, const VolumeName&) = default;
};

// The other way round. Absent for a name that isn't made of two, as those of a volume's hidden
// layers ("vg-lv-real").
[[nodiscard]] std::optional<VolumeName> parse_mapped_name(std::string_view name);

}  // namespace lvmd::model
