// A small configuration and states of its groups.
#pragma once

#include <string>
#include <utility>

#include "lvmd/base/clock.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

inline constexpr model::Bytes kExtentSize{std::uint64_t{4} << 20U};

// "ssd" (default, thick) and "thin" (pool "pool0", ratio 2) in vg0, "disks" (thick) in vg1.
inline model::ClassCatalog sample_catalog() {
  model::DeviceClass ssd{.name = "ssd", .volume_group = "vg0", .is_default = true};
  ssd.spare = {0};
  model::DeviceClass thin{.name = "thin", .volume_group = "vg0"};
  thin.spare = {kExtentSize.value};
  thin.thin_pool = model::ThinPoolTarget{.name = "pool0", .overprovision_ratio = 2.0};
  model::DeviceClass disks{.name = "disks", .volume_group = "vg1"};
  disks.spare = {0};
  model::ClassCatalog catalog;
  catalog.device_classes = {ssd, thin, disks};
  catalog.option_classes = {{.name = "mirrored", .options = {"--type=raid1"}}};
  return catalog;
}

inline model::LogicalVolume sample_volume(std::string name, model::LvRole role,
                                          std::string pool = {}) {
  model::LogicalVolume lv;
  lv.name = std::move(name);
  lv.role = role;
  lv.pool = std::move(pool);
  lv.size = {10 * kExtentSize.value};
  lv.path = "/dev/vg0/" + lv.name;
  lv.attr = "-wi-a-----";
  return lv;
}

// A group with one PV of 100 extents, `free` of them free, and these volumes, sorted by name.
inline model::VgState sample_state(std::string name, std::int64_t observed_at, std::uint64_t free,
                                   std::vector<model::LogicalVolume> volumes = {}) {
  model::VolumeGroup group;
  group.name = name;
  group.extent_size = kExtentSize;
  group.physical_volumes = {{.id = "pv", .device = "/dev/sda", .size = {100}, .free = {free}}};
  group.logical_volumes = std::move(volumes);
  return {.name = std::move(name), .observed_at = {observed_at}, .group = std::move(group)};
}

inline model::VgState missing_state(std::string name, std::int64_t observed_at) {
  auto error = make_error(Code::kUnavailable, "volume group {} does not exist", name);
  return {.name = std::move(name),
          .observed_at = {observed_at},
          .group = std::unexpected(std::move(error))};
}

}  // namespace lvmd::volumes
