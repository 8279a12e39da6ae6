#include <catch2/catch.hpp>
#include <string>

#include "lvmd/state/active_volumes.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::state;

namespace {

LvMetadata lv_named(const std::string& name, LvKind kind = LvKind::kPlain) {
  LvMetadata lv;
  lv.name = name;
  lv.id = "id-" + name;
  lv.kind = kind;
  return lv;
}

LvMetadata part_named(const std::string& name, LvMark mark, const std::string& of) {
  LvMetadata lv = lv_named(name);
  lv.marks.add(mark);
  lv.part_of = of;
  lv.visible = false;
  return lv;
}

// "r" with two legs.
VolumeGroupMetadata raid_group() {
  VolumeGroupMetadata group;
  LvMetadata raid = lv_named("r", LvKind::kRaid);
  raid.images = {"r_rimage_0", "r_rimage_1"};
  raid.raid_metadata = {"r_rmeta_0", "r_rmeta_1"};
  group.logical_volumes = {raid, part_named("r_rimage_0", LvMark::kRaidImage, "r"),
                           part_named("r_rimage_1", LvMark::kRaidImage, "r"),
                           part_named("r_rmeta_0", LvMark::kRaidMetadata, "r"),
                           part_named("r_rmeta_1", LvMark::kRaidMetadata, "r")};
  return group;
}

model::VgDevices all_active(const VolumeGroupMetadata& group) {
  model::VgDevices devices;
  for (const LvMetadata& lv : group.logical_volumes) devices.volumes[lv.id] = {};
  return devices;
}

LvCondition condition_of(const VolumeGroupMetadata& group, const model::VgDevices& devices,
                         const std::string& name) {
  return ActiveVolumes{group, devices}.condition(*group.find(name));
}

}  // namespace

TEST_CASE("each leg of a RAID has its letter in the status", "[metadata]") {
  const auto group = raid_group();
  auto devices = all_active(group);
  devices.volumes["id-r"].target = model::RaidStatus{.health = "Aa", .action = "recover"};
  CHECK(condition_of(group, devices, "r_rimage_0").in_sync);
  CHECK_FALSE(condition_of(group, devices, "r_rimage_1").in_sync);
  CHECK(condition_of(group, devices, "r").health == '-');
  CHECK(condition_of(group, devices, "r_rimage_1").health == '-');

  devices.volumes["id-r"].target = model::RaidStatus{.health = "AD", .action = "idle"};
  CHECK(condition_of(group, devices, "r").health == 'r');
  CHECK(condition_of(group, devices, "r_rimage_0").health == '-');
  CHECK(condition_of(group, devices, "r_rimage_1").health == 'r');
  CHECK(condition_of(group, devices, "r_rmeta_1").health == 'r');
}

TEST_CASE("mismatches and a reshape appear only on the RAID itself", "[metadata]") {
  const auto group = raid_group();
  auto devices = all_active(group);
  devices.volumes["id-r"].target =
      model::RaidStatus{.health = "AA", .mismatches = 128, .action = "idle"};
  CHECK(condition_of(group, devices, "r").health == 'm');
  CHECK(condition_of(group, devices, "r_rimage_0").health == '-');
  devices.volumes["id-r"].target = model::RaidStatus{.health = "AA", .action = "reshape"};
  CHECK(condition_of(group, devices, "r").health == 's');
}

TEST_CASE("an inactive RAID is healthy, its images are out of sync", "[metadata]") {
  const auto group = raid_group();
  CHECK(condition_of(group, {}, "r").health == '-');
  CHECK(condition_of(group, {}, "r_rimage_0") == LvCondition{});
}

TEST_CASE("legs that a reshape removed, and write-mostly legs", "[metadata]") {
  auto group = raid_group();
  group.find("r_rimage_1")->marks.add(LvMark::kRemoveAfterReshape);
  CHECK(condition_of(group, {}, "r").health == 'R');
  CHECK(condition_of(group, {}, "r_rimage_1").health == 'R');
  group.find("r_rimage_1")->marks.add(LvMark::kWritemostly);
  CHECK(condition_of(group, {}, "r_rimage_1").health == 'w');
}

TEST_CASE("the status of a RAID with snapshots is below them", "[metadata]") {
  auto group = raid_group();
  group.find("r")->marks.add(LvMark::kSnapshotOrigin);
  auto devices = all_active(group);
  devices.real["id-r"].target = model::RaidStatus{.health = "AA", .mismatches = 1};
  CHECK(condition_of(group, devices, "r").health == 'm');
}

TEST_CASE("the images of a mirror are in sync if the whole mirror is", "[metadata]") {
  VolumeGroupMetadata group;
  LvMetadata mirror = lv_named("m", LvKind::kMirror);
  mirror.images = {"m_mimage_0"};
  mirror.stripes = 2;
  group.logical_volumes = {mirror, part_named("m_mimage_0", LvMark::kMirrorImage, "m")};
  auto devices = all_active(group);
  devices.volumes["id-m"].target = model::MirrorStatus{.regions_in_sync = 3, .regions = 4};
  CHECK_FALSE(condition_of(group, devices, "m_mimage_0").in_sync);
  devices.volumes["id-m"].target = model::MirrorStatus{.regions_in_sync = 4, .regions = 4};
  CHECK(condition_of(group, devices, "m_mimage_0").in_sync);
  CHECK_FALSE(condition_of(group, {}, "m_mimage_0").in_sync);
}

TEST_CASE("a volume under a cache has only its layer, and the cache pool has the cache's state",
          "[metadata]") {
  VolumeGroupMetadata group;
  const LvMetadata cached = lv_named("c", LvKind::kCache);
  LvMetadata pool = part_named("c_pool", LvMark::kUsedCachePool, "c");
  pool.kind = LvKind::kCachePool;
  group.logical_volumes = {cached, part_named("c_corig", LvMark::kCacheOrigin, "c"), pool};
  model::VgDevices devices;
  model::DeviceState device;
  device.minor = 7;
  devices.real["id-c_corig"] = {.state = device, .target = {}};
  devices.volumes["id-c"].target = model::CacheStatus{.read_only = true, .needs_check = true};
  const ActiveVolumes active{group, devices};
  CHECK(active.device(*group.find("c_corig")) == device);
  CHECK_FALSE(active.device(*group.find("c_pool")));
  CHECK(condition_of(group, devices, "c").health == 'M');
  CHECK(condition_of(group, devices, "c").needs_check);
  CHECK(condition_of(group, devices, "c_pool").health == 'M');
  CHECK_FALSE(condition_of(group, devices, "c_pool").needs_check);
  devices.volumes["id-c"].target = model::CacheStatus{.failed = true};
  CHECK(condition_of(group, devices, "c").health == 'F');
}

TEST_CASE("a failed writecache is shown", "[metadata]") {
  VolumeGroupMetadata group;
  group.logical_volumes = {lv_named("w", LvKind::kWritecache)};
  auto devices = all_active(group);
  devices.volumes["id-w"].target = model::WritecacheStatus{.failed = true};
  CHECK(condition_of(group, devices, "w").health == 'E');
}

TEST_CASE("during a merge, the snapshot has the origin's device", "[metadata]") {
  VolumeGroupMetadata group;
  LvMetadata origin = lv_named("o");
  origin.marks.add(LvMark::kSnapshotOrigin);
  origin.marks.add(LvMark::kMergingOrigin);
  LvMetadata snapshot = lv_named("s");
  snapshot.marks.add(LvMark::kCowStore);
  snapshot.marks.add(LvMark::kMergingSnapshot);
  snapshot.origin = "o";
  group.logical_volumes = {origin, snapshot};
  auto devices = all_active(group);
  devices.volumes["id-o"].state.minor = 1;
  devices.volumes["id-s"].state.minor = 2;
  devices.volumes["id-s"].target = model::CowSnapshotStatus{.invalid = true};
  // The merge has not begun: the origin is open.
  CHECK(ActiveVolumes(group, devices).device(*group.find("s"))->minor == 2);
  CHECK(condition_of(group, devices, "s").snapshot == LvCondition::Snapshot::kInvalid);
  CHECK(condition_of(group, devices, "o").snapshot == LvCondition::Snapshot::kSound);

  devices.volumes["id-o"].target = model::CowSnapshotStatus{.is_merge = true, .merge_failed = true};
  CHECK(ActiveVolumes(group, devices).device(*group.find("s"))->minor == 1);
  CHECK(condition_of(group, devices, "s").snapshot == LvCondition::Snapshot::kMergeFailed);
  CHECK(condition_of(group, devices, "o").snapshot == LvCondition::Snapshot::kMergeFailed);
}

TEST_CASE("the health of a thin pool is its most severe state", "[metadata]") {
  VolumeGroupMetadata group;
  LvMetadata thin = lv_named("t", LvKind::kThin);
  thin.pool = "p";
  group.logical_volumes = {lv_named("p", LvKind::kThinPool), thin};
  auto devices = all_active(group);
  model::ThinPoolState& pool = devices.thin_pools["id-p"];
  CHECK(condition_of(group, devices, "p").health == '-');
  pool.read_only = true;
  CHECK(condition_of(group, devices, "p").health == 'M');
  pool.out_of_data_space = true;
  CHECK(condition_of(group, devices, "p").health == 'D');
  CHECK(condition_of(group, devices, "t").health == '-');
  pool.failed = true;
  CHECK(condition_of(group, devices, "p").health == 'F');
  CHECK(condition_of(group, devices, "t").health == 'F');
  devices.volumes.erase("id-t");
  CHECK(condition_of(group, devices, "t").health == '-');
}

TEST_CASE("only volumes whose status lvs uses are queried", "[metadata]") {
  VolumeGroupMetadata group;
  group.logical_volumes = {lv_named("lin"), lv_named("raid", LvKind::kRaid),
                           lv_named("thin", LvKind::kThin), lv_named("pool", LvKind::kThinPool),
                           part_named("cow", LvMark::kCowStore, "")};
  CHECK(volumes_with_status(group) == std::set<std::string, std::less<>>{"id-cow", "id-raid"});
}
