// The names and UUIDs of LVM's device-mapper devices. A name is VG and LV joined by '-', with each
// '-' inside the two names doubled. Pure. Source: LVM2's dm_build_dm_name and build_dm_uuid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lvmd::model {

[[nodiscard]] std::string mapped_name(std::string_view volume_group, std::string_view volume);

// The UUID of the volume's own device: "LVM-", the group's id and the volume's id, both without
// dashes. The layers below the device have a suffix.
[[nodiscard]] std::string mapped_uuid(std::string_view vg_id, std::string_view lv_id);

struct VolumeName {
  std::string volume_group;
  std::string volume;

  friend bool operator==(const VolumeName&, const VolumeName&) = default;
};

// The inverse of mapped_name(). Absent if the name does not consist of two names, such as the name
// of a hidden layer ("vg-lv-real").
[[nodiscard]] std::optional<VolumeName> parse_mapped_name(std::string_view name);

}  // namespace lvmd::model
