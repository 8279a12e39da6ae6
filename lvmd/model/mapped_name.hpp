// The names that LVM gives to its device-mapper devices: VG and LV joined by '-', each '-' inside
// them doubled; and the uuids that it gives them. Pure. Source: LVM2's dm_build_dm_name and
// build_dm_uuid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lvmd::model {

[[nodiscard]] std::string mapped_name(std::string_view volume_group, std::string_view volume);

// "LVM-", the group's id and the volume's id, both without dashes: of the volume's own device, not
// of the layers below it.
[[nodiscard]] std::string mapped_uuid(std::string_view vg_id, std::string_view lv_id);

struct VolumeName {
  std::string volume_group;
  std::string volume;

  friend bool operator==(const VolumeName&, const VolumeName&) = default;
};

// The other way round. Absent for a name that isn't made of two, as those of a volume's hidden
// layers ("vg-lv-real").
[[nodiscard]] std::optional<VolumeName> parse_mapped_name(std::string_view name);

}  // namespace lvmd::model
