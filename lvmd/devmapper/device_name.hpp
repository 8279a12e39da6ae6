// The layers of LVM's device-mapper devices, from their names and UUIDs. Pure.
//
// Source: LVM2's dm_build_dm_name and build_dm_uuid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lvmd::devmapper {

// The prefix of the names of all devices of a volume group: the name with doubled hyphens, and '-'.
[[nodiscard]] std::string device_name_prefix(std::string_view vg_name);

enum class DeviceLayer {
  kVolume,  // the volume's own device
  // "-cdata", "-cmeta": the own device of a part of a cache pool, or a layer above a cache volume
  // ("-cvol").
  kCachePart,
  kThinPool,  // "-tpool": the thin-pool target
  kReal,      // "-real": the data below snapshots or a cache
  kInner,     // another layer of a volume
};

struct VolumeDevice {
  std::string lv_id;
  DeviceLayer layer = DeviceLayer::kVolume;

  friend bool operator==(const VolumeDevice&, const VolumeDevice&) = default;
};

// The volume and layer of the device with this UUID; absent if the device does not belong to the
// group.
[[nodiscard]] std::optional<VolumeDevice> parse_device_uuid(std::string_view uuid,
                                                            std::string_view vg_id);

}  // namespace lvmd::devmapper
