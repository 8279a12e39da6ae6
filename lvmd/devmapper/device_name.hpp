// How LVM names and marks its device-mapper devices. Pure.
//
// Source: LVM2's dm_build_dm_name and build_dm_uuid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lvmd::devmapper {

// What the names of all devices of a volume group start with: dashes doubled, then one dash.
[[nodiscard]] std::string device_name_prefix(std::string_view vg_name);

// "LVM-" + VG id + LV id; the ids without dashes.
[[nodiscard]] std::string device_uuid(std::string_view vg_id, std::string_view lv_id);

enum class DeviceLayer {
  kVolume,  // the volume's own device
  // "-cdata", "-cmeta": a part of a cache pool, whose own device it is; or a part of a cache volume
  // ("-cvol"), which both parts have as a layer on top.
  kCachePart,
  kThinPool,  // "-tpool": the thin-pool target itself
  kReal,      // "-real": what lies below snapshots or a cache
  kInner,     // another layer inside a volume
};

struct VolumeDevice {
  std::string lv_id;
  DeviceLayer layer = DeviceLayer::kVolume;

  friend bool operator==(const VolumeDevice&, const VolumeDevice&) = default;
};

// What `uuid` says when it is one of the group's, absent otherwise.
[[nodiscard]] std::optional<VolumeDevice> parse_device_uuid(std::string_view uuid,
                                                            std::string_view vg_id);

}  // namespace lvmd::devmapper
