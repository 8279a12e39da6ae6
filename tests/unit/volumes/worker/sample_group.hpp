// A group with one volume of each kind, and its classes, for the tests of plans.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/plan.hpp"

namespace lvmd::volumes::worker::test {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
inline constexpr std::uint64_t kExtent = 4 * kMiB;

inline model::LogicalVolume volume(std::string name, model::LvRole role, std::uint64_t extents) {
  model::LogicalVolume lv;
  lv.path = "/dev/vg0/" + name;
  lv.name = std::move(name);
  lv.role = role;
  lv.segment_type = role == model::LvRole::kThin ? "thin" : "linear";
  lv.size = {extents * kExtent};
  if (role == model::LvRole::kThin) lv.pool = "pool0";
  return lv;
}

// Two PVs with 100 free extents each; a pool of 50 extents that holds one thin volume of 10.
inline model::VolumeGroup sample_group() {
  model::VolumeGroup group{.id = "vgid", .name = "vg0", .seqno = 1, .extent_size = {kExtent}};
  for (const char* const device : {"/dev/vdb", "/dev/vdc"})
    group.physical_volumes.push_back(
        {.id = device, .device = device, .size = {200}, .free = {100}});
  group.logical_volumes = {volume("lvol0_pmspare", model::LvRole::kInternal, 1),
                           volume("plain", model::LvRole::kPlain, 4),
                           volume("pool0", model::LvRole::kThinPool, 50),
                           volume("thin1", model::LvRole::kThin, 10)};
  return group;
}

inline model::VolumeGroup with(model::VolumeGroup group, model::LogicalVolume lv) {
  group.logical_volumes.push_back(std::move(lv));
  std::ranges::sort(group.logical_volumes, {}, &model::LogicalVolume::name);
  return group;
}

inline model::ClassCatalog classes_of_vg0() {
  const auto thick = [](std::string name, std::uint32_t stripes) {
    model::DeviceClass device_class;
    device_class.name = std::move(name);
    device_class.volume_group = "vg0";
    device_class.spare = {0};
    device_class.stripes = stripes;
    return device_class;
  };
  model::ClassCatalog catalog;
  catalog.device_classes = {thick("ssd", 0),  thick("striped", 2),  thick("spared", 0),
                            thick("thin", 0), thick("optioned", 0), thick("elsewhere", 0)};
  catalog.device_classes[1].stripe_size = "64k";
  catalog.device_classes[2].spare = {190 * kExtent};
  catalog.device_classes[3].thin_pool = {.name = "pool0", .overprovision_ratio = 2.0};
  catalog.device_classes[4].lvcreate_options = {"--type=raid1", "-m1"};
  catalog.device_classes[5].volume_group = "vg1";
  catalog.option_classes = {{.name = "fast", .options = {"--readahead=auto"}}};
  return catalog;
}

inline std::vector<std::string> lines(const Plan& plan) {
  std::vector<std::string> result;
  result.reserve(plan.commands.size());
  for (const lvm::LvmCommand& command : plan.commands) result.push_back(command.line().value());
  return result;
}

}  // namespace lvmd::volumes::worker::test
