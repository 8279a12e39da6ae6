// The volumes of a group together with their devices.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/state/lv_attr.hpp"

namespace lvmd::state {

// Ids of the volumes whose target status lvs looks at; thin pools are not among them.
[[nodiscard]] std::set<std::string, std::less<>> volumes_with_status(
    const metadata::VolumeGroupMetadata& group);

// A view of both; pure.
class ActiveVolumes {
 public:
  ActiveVolumes(const metadata::VolumeGroupMetadata& group, const model::VgDevices& devices)
      : group_(group), devices_(devices) {}

  // The device that lvs describes for the volume; absent when that is inactive.
  [[nodiscard]] std::optional<model::DeviceState> device(const metadata::LvMetadata& lv) const;

  // The thin pool itself, or a thin volume's pool; null for other volumes.
  [[nodiscard]] const metadata::LvMetadata* thin_pool(const metadata::LvMetadata& lv) const;
  // Null where there is none, or it isn't active.
  [[nodiscard]] const model::ThinPoolState* thin_pool_state(const metadata::LvMetadata& lv) const;

  [[nodiscard]] LvCondition condition(const metadata::LvMetadata& lv) const;

  // Absent where the volume is no active RAID volume or mirror, or is one that LVM moves extents
  // with.
  [[nodiscard]] std::optional<model::Redundancy> redundancy(const metadata::LvMetadata& lv) const;

 private:
  [[nodiscard]] const model::VolumeDevice* own_device(const metadata::LvMetadata& lv) const;
  template <typename Status>
  [[nodiscard]] const Status* status(const metadata::LvMetadata& lv) const;
  [[nodiscard]] const model::SnapshotStatus* merge_into(const metadata::LvMetadata* origin) const;
  [[nodiscard]] const model::SnapshotStatus* snapshot_status(const metadata::LvMetadata& lv) const;
  [[nodiscard]] bool in_sync(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char health(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char raid_health(const metadata::LvMetadata& lv) const;
  [[nodiscard]] char raid_part_health(const metadata::LvMetadata& lv) const;
  // The letter of the leg that the RAID image or metadata volume is; absent while it is unknown.
  [[nodiscard]] std::optional<char> leg_health(const metadata::LvMetadata& lv) const;

  const metadata::VolumeGroupMetadata& group_;
  const model::VgDevices& devices_;
};

}  // namespace lvmd::state
