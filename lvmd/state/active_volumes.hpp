// Combines the volumes of a group with their devices. Pure.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/state/lv_attr.hpp"

namespace lvmd::state {

// The ids of the volumes whose target status lvs reads, without thin pools.
[[nodiscard]] std::set<std::string, std::less<>> volumes_with_status(
    const metadata::VolumeGroupMetadata& group);

// A view of metadata and devices, valid as long as both.
class ActiveVolumes {
 public:
  ActiveVolumes(const metadata::VolumeGroupMetadata& group, const model::VgDevices& devices)
      : group_(group), devices_(devices) {}

  // The device that lvs shows for the volume; absent if the volume is inactive.
  [[nodiscard]] std::optional<model::DeviceState> device(const metadata::LvMetadata& lv) const;

  // `lv` itself if it is a thin pool, or the pool of a thin volume. Null for other volumes.
  [[nodiscard]] const metadata::LvMetadata* thin_pool(const metadata::LvMetadata& lv) const;
  // The state of thin_pool(); null if there is no pool or it is inactive.
  [[nodiscard]] const model::ThinPoolState* thin_pool_state(const metadata::LvMetadata& lv) const;

  [[nodiscard]] LvCondition condition(const metadata::LvMetadata& lv) const;

  // Absent if the volume is not an active RAID volume or mirror, or is a temporary pvmove volume.
  [[nodiscard]] std::optional<model::Redundancy> redundancy(const metadata::LvMetadata& lv) const;

 private:
  [[nodiscard]] const model::VolumeDevice* own_device(const metadata::LvMetadata& lv) const;
  template <typename Status>
  [[nodiscard]] const Status* status(const metadata::LvMetadata& lv) const;
  [[nodiscard]] const model::CowSnapshotStatus* merge_into(
      const metadata::LvMetadata* origin) const;
  [[nodiscard]] const model::CowSnapshotStatus* snapshot_status(
      const metadata::LvMetadata& lv) const;
  [[nodiscard]] bool in_sync(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char health(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char raid_health(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char raid_part_health(const metadata::LvMetadata& lv) const;
  // The status letter of the leg to which the RAID image or metadata volume belongs. Absent:
  // unknown.
  [[nodiscard]] std::optional<char> leg_health(const metadata::LvMetadata& lv) const;

  const metadata::VolumeGroupMetadata& group_;
  const model::VgDevices& devices_;
};

}  // namespace lvmd::state
