#include <catch2/catch.hpp>
#include <initializer_list>

#include "lvmd/state/lv_attr.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::state;

namespace {

constexpr model::DeviceState kActive{};

LvMetadata volume(LvKind kind, std::initializer_list<LvMark> marks = {}) {
  LvMetadata lv;
  lv.kind = kind;
  for (const LvMark mark : marks) lv.marks.add(mark);
  return lv;
}

// A part of another volume: hidden, as in LVM.
LvMetadata part(std::initializer_list<LvMark> marks) {
  LvMetadata lv = volume(LvKind::kPlain, marks);
  lv.visible = false;
  return lv;
}

std::string active(const LvMetadata& lv, const LvCondition& condition = {}) {
  return lv_attr(lv, kActive, condition, false);
}

model::DeviceState device_with_tables(bool live, bool inactive) {
  model::DeviceState device;
  device.live_table = live;
  device.inactive_table = inactive;
  return device;
}

LvCondition condition_with(LvCondition::Snapshot snapshot) {
  LvCondition condition;
  condition.snapshot = snapshot;
  return condition;
}

}  // namespace

TEST_CASE("each kind of volume has its letters", "[metadata]") {
  CHECK(active(volume(LvKind::kPlain)) == "-wi-a-----");
  CHECK(active(volume(LvKind::kPlain, {LvMark::kVirtual})) == "vwi-a-v---");
  CHECK(active(volume(LvKind::kMirror)) == "mwi-a-m---");
  CHECK(active(volume(LvKind::kMirror, {LvMark::kNotSynced})) == "Mwi-a-m---");
  CHECK(active(volume(LvKind::kMirror, {LvMark::kConverting})) == "cwi-a-m---");
  CHECK(active(volume(LvKind::kRaid)) == "rwi-a-r---");
  CHECK(active(volume(LvKind::kRaid, {LvMark::kNotSynced})) == "Rwi-a-r---");
  CHECK(active(volume(LvKind::kThinPool)) == "twi-a-t---");
  CHECK(active(volume(LvKind::kThin)) == "Vwi-a-t---");
  CHECK(active(volume(LvKind::kCachePool)) == "Cwi-a-C---");
  CHECK(active(volume(LvKind::kCache)) == "Cwi-a-C---");
  CHECK(active(volume(LvKind::kWritecache)) == "Cwi-a-C---");
}

TEST_CASE("each part of a volume has its letters", "[metadata]") {
  CHECK(active(part({LvMark::kThinPoolData})) == "Twi-a-----");
  CHECK(active(part({LvMark::kThinPoolMetadata})) == "ewi-a-----");
  CHECK(active(part({LvMark::kPoolSpare})) == "ewi-a-----");
  CHECK(active(part({LvMark::kCachePoolData})) == "Cwi-a-----");
  CHECK(active(part({LvMark::kCachePoolMetadata})) == "ewi-a-----");
  CHECK(active(part({LvMark::kCacheVolume})) == "Cwi-a-C---");
  CHECK(active(part({LvMark::kCacheOrigin})) == "owi-a-C---");
  CHECK(active(part({LvMark::kWritecacheOrigin})) == "owi-a-C---");
  CHECK(active(part({LvMark::kRaidMetadata})) == "ewi-a-r---");
  CHECK(active(part({LvMark::kMirrorLog})) == "lwi-a-m---");
}

TEST_CASE("an image shows whether it is in sync", "[metadata]") {
  LvCondition in_sync;
  in_sync.in_sync = true;
  CHECK(active(part({LvMark::kRaidImage})) == "Iwi-a-r---");
  CHECK(active(part({LvMark::kRaidImage}), in_sync) == "iwi-a-r---");
  CHECK(active(part({LvMark::kMirrorImage})) == "Iwi-a-m---");
  CHECK(active(part({LvMark::kMirrorImage}), in_sync) == "iwi-a-m---");
  // An image that was split off with tracking is visible and never in sync.
  CHECK(active(volume(LvKind::kPlain, {LvMark::kRaidImage}), in_sync) == "Iwi-a-r---");
}

TEST_CASE("snapshots and their origins", "[metadata]") {
  CHECK(active(volume(LvKind::kPlain, {LvMark::kCowStore})) == "swi-a-s---");
  CHECK(active(volume(LvKind::kPlain, {LvMark::kCowStore, LvMark::kMergingSnapshot})) ==
        "Swi-a-s---");
  CHECK(active(volume(LvKind::kPlain, {LvMark::kSnapshotOrigin})) == "owi-a-s---");
  CHECK(active(volume(LvKind::kPlain, {LvMark::kSnapshotOrigin, LvMark::kMergingOrigin})) ==
        "Owi-a-s---");
  CHECK(active(volume(LvKind::kPlain, {LvMark::kExternalOrigin})) == "owi-a-----");
  CHECK(active(volume(LvKind::kThin, {LvMark::kMergingOrigin})) == "Owi-a-t---");
  CHECK(active(volume(LvKind::kThin, {LvMark::kMergingSnapshot})) == "Swi-a-t---");
}

TEST_CASE("a volume with several roles has the letter that LVM shows first", "[metadata]") {
  CHECK(active(volume(LvKind::kRaid, {LvMark::kSnapshotOrigin})) == "owi-a-r---");
  CHECK(active(volume(LvKind::kThin, {LvMark::kSnapshotOrigin})) == "owi-a-t---");
  CHECK(active(volume(LvKind::kRaid, {LvMark::kThinPoolData})) == "rwi-a-r---");
  CHECK(active(volume(LvKind::kCache, {LvMark::kThinPoolData})) == "Cwi-a-C---");
  CHECK(active(volume(LvKind::kMirror, {LvMark::kMirrorLog})) == "mwi-a-m---");
}

TEST_CASE("a pvmove volume has no permissions", "[metadata]") {
  LvMetadata lv = volume(LvKind::kMirror, {LvMark::kPvmove, LvMark::kLocked});
  lv.allocation = 'c';
  CHECK(active(lv) == "p-C-a-m---");
  const LvMetadata moved = volume(LvKind::kPlain, {LvMark::kLocked});
  CHECK(active(moved) == "-wI-a-----");
}

TEST_CASE("an inactive volume has neither state nor openers", "[metadata]") {
  CHECK(lv_attr(volume(LvKind::kPlain), std::nullopt, {}, false) == "-wi-------");
  CHECK(lv_attr(volume(LvKind::kThin), std::nullopt, {}, false) == "Vwi---t---");
}

TEST_CASE("permissions come from the metadata, R if only the device is read-only", "[metadata]") {
  LvMetadata lv = volume(LvKind::kPlain);
  model::DeviceState device;
  device.read_only = true;
  CHECK(lv_attr(lv, device, {}, false) == "-Ri-a-----");
  lv.writable = false;
  CHECK(lv_attr(lv, device, {}, false) == "-ri-a-----");
  lv.readable = false;
  CHECK(active(lv) == "--i-a-----");
}

TEST_CASE("policy, fixed minor and activation skip", "[metadata]") {
  LvMetadata lv = volume(LvKind::kPlain);
  lv.allocation = 'c';
  lv.fixed_minor = true;
  lv.activation_skip = true;
  CHECK(active(lv) == "-wcma----k");
}

TEST_CASE("the device's state", "[metadata]") {
  const LvMetadata lv = volume(LvKind::kPlain);
  model::DeviceState device;
  device.open_count = 2;
  CHECK(lv_attr(lv, device, {}, false) == "-wi-ao----");
  device.suspended = true;
  CHECK(lv_attr(lv, device, {}, false) == "-wi-so----");
  CHECK(lv_attr(lv, device_with_tables(false, true), {}, false) == "-wi-i-----");
  CHECK(lv_attr(lv, device_with_tables(false, false), {}, false) == "-wi-d-----");
}

TEST_CASE("an invalid snapshot, or a failed merge, is shown", "[metadata]") {
  const LvMetadata lv = volume(LvKind::kPlain, {LvMark::kCowStore});
  model::DeviceState suspended;
  suspended.suspended = true;
  const LvCondition invalid = condition_with(LvCondition::Snapshot::kInvalid);
  const LvCondition failed = condition_with(LvCondition::Snapshot::kMergeFailed);
  CHECK(active(lv, invalid) == "swi-I-s---");
  CHECK(lv_attr(lv, suspended, invalid, false) == "swi-S-s---");
  CHECK(active(lv, failed) == "swi-m-s---");
  CHECK(lv_attr(lv, suspended, failed, false) == "swi-M-s---");
}

TEST_CASE("zeroing is shown only for pools and their volumes", "[metadata]") {
  CHECK(lv_attr(volume(LvKind::kThin), kActive, {}, true) == "Vwi-a-tz--");
  CHECK(lv_attr(volume(LvKind::kThinPool), kActive, {}, true) == "twi-a-tz--");
  CHECK(lv_attr(volume(LvKind::kPlain), kActive, {}, true) == "-wi-a-----");
}

TEST_CASE("the flag needs_check replaces the state", "[metadata]") {
  LvCondition condition;
  condition.needs_check = true;
  CHECK(active(volume(LvKind::kThinPool), condition) == "twi-c-t---");
  model::DeviceState suspended;
  suspended.suspended = true;
  CHECK(lv_attr(volume(LvKind::kCache), suspended, condition, false) == "Cwi-C-C---");
}

TEST_CASE("a volume on a missing physical volume is partial, regardless of its health",
          "[metadata]") {
  LvMetadata lv = volume(LvKind::kThinPool);
  LvCondition condition;
  condition.health = 'F';
  CHECK(active(lv, condition) == "twi-a-t-F-");
  lv.partial = true;
  CHECK(active(lv, condition) == "twi-a-t-p-");
}
