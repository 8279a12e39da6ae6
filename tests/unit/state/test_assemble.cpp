#include <catch2/catch.hpp>
#include <string>

#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/metadata/partial.hpp"
#include "lvmd/state/assemble.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::state;
using namespace lvmd::metadata::test;

namespace {

constexpr const char* kLin = "LLLLLL00000000000000000000lin000";
constexpr const char* kPool = "LLLLLL00000000000000000000pool00";
constexpr const char* kThin = "LLLLLL00000000000000000000thin00";

VolumeGroupMetadata sample(const std::string& text = sample_text()) {
  const auto tree = ConfigTree::parse(text);
  REQUIRE(tree);
  auto group = parse_group(*tree, "vg1", "");
  REQUIRE(group);
  return *std::move(group);
}

model::DeviceState device(std::uint32_t minor, std::int32_t open_count = 0) {
  model::DeviceState state;
  state.major = 253;
  state.minor = minor;
  state.open_count = open_count;
  return state;
}

model::ThinPoolState thin_pool(std::uint32_t minor) {
  model::ThinPoolState pool;
  pool.device = device(minor, 2);
  pool.usage = model::PoolUsage{.data_percent = 12.5, .metadata_percent = 3.25};
  return pool;
}

std::string attr_of(const model::VolumeGroup& group, std::string_view name) {
  const model::LogicalVolume* const lv = group.find(name);
  REQUIRE(lv != nullptr);
  return lv->attr;
}

}  // namespace

TEST_CASE("an inactive group", "[metadata]") {
  const model::VolumeGroup group = assemble(sample(), {});
  CHECK(group.id == kVgId);
  CHECK(group.seqno == 42);
  CHECK(group.source == model::StateSource::kMetadata);
  CHECK(group.free() == model::Bytes{std::uint64_t{933 + 440} << 22U});
  REQUIRE(group.logical_volumes.size() == 8);
  const model::LogicalVolume* const lin = group.find("lin");
  REQUIRE(lin != nullptr);
  CHECK(lin->size == model::Bytes{80U << 22U});
  CHECK(lin->path == "/dev/vg1/lin");
  CHECK(lin->tags.size() == 2);
  CHECK_FALSE(lin->device);
  CHECK(attr_of(group, "lin") == "-wi-------");
  CHECK(attr_of(group, "str") == "-rc-------");
  CHECK(attr_of(group, "pool") == "twi---tz--");
  CHECK(attr_of(group, "thin") == "Vwi---tz--");
  CHECK(attr_of(group, "snap") == "Vri---tz-k");
  CHECK(attr_of(group, "pool_tdata") == "Twi-------");
  CHECK(attr_of(group, "pool_tmeta") == "ewi-------");
  CHECK(attr_of(group, "lvol0_pmspare") == "ewi-------");
}

TEST_CASE("roles follow visibility and kind", "[metadata]") {
  const model::VolumeGroup group = assemble(sample(), {});
  using model::LvRole;
  CHECK(group.find("lin")->role == LvRole::kPlain);
  CHECK(group.find("pool")->role == LvRole::kThinPool);
  CHECK(group.find("thin")->role == LvRole::kThin);
  CHECK(group.find("snap")->role == LvRole::kThin);
  CHECK(group.find("snap")->pool == "pool");
  CHECK(group.find("snap")->origin == "thin");
  for (const char* const name : {"pool_tdata", "pool_tmeta", "lvol0_pmspare"})
    CHECK_FALSE(group.find(name)->is_visible());
}

TEST_CASE("active volumes have their device", "[metadata]") {
  model::VgDevices devices;
  devices.volumes = {{kLin, {device(3, 1), {}}}, {"an id that no volume has", {device(9), {}}}};
  const model::VolumeGroup group = assemble(sample(), devices);
  CHECK(group.find("lin")->device == device(3, 1));
  CHECK(attr_of(group, "lin") == "-wi-ao----");
  CHECK_FALSE(group.find("str")->device);
}

TEST_CASE("a used pool is active with its own device, and its device is the layer", "[metadata]") {
  model::VgDevices devices;
  devices.volumes = {{kPool, {device(8), {}}}, {kThin, {device(9), {}}}};
  devices.thin_pools = {{kPool, thin_pool(7)}};
  const model::VolumeGroup group = assemble(sample(), devices);
  CHECK(group.find("pool")->device == device(7, 2));
  CHECK(group.find("pool")->usage == model::PoolUsage{12.5, 3.25});
  CHECK(attr_of(group, "pool") == "twi-aotz--");
  CHECK(attr_of(group, "thin") == "Vwi-a-tz--");
  CHECK_FALSE(group.find("thin")->usage);
}

TEST_CASE("a used pool without its own device is inactive although its volumes are active",
          "[metadata]") {
  model::VgDevices devices;
  devices.volumes = {{kThin, {device(9), {}}}};
  devices.thin_pools = {{kPool, thin_pool(7)}};
  const model::VolumeGroup group = assemble(sample(), devices);
  CHECK_FALSE(group.find("pool")->device);
  CHECK(attr_of(group, "pool") == "twi---tz--");
  CHECK(group.find("pool")->usage);

  devices.thin_pools.at(kPool).needs_check = true;
  CHECK(attr_of(assemble(sample(), devices), "pool") == "twi-cotz--");
}

TEST_CASE("an unused pool has no device of its own", "[metadata]") {
  model::VgDevices devices;
  devices.thin_pools = {{kPool, thin_pool(7)}};
  const auto metadata = sample(sample_with("transaction_id = 2", "transaction_id = 0"));
  CHECK(assemble(metadata, devices).find("pool")->device == device(7, 2));
}

TEST_CASE("a failed pool has no usage and fails its volumes", "[metadata]") {
  model::VgDevices devices;
  devices.volumes = {{kPool, {device(8), {}}}, {kThin, {device(9), {}}}};
  devices.thin_pools = {{kPool, thin_pool(7)}};
  devices.thin_pools.at(kPool).failed = true;
  devices.thin_pools.at(kPool).usage.reset();
  const model::VolumeGroup group = assemble(sample(), devices);
  CHECK_FALSE(group.find("pool")->usage);
  CHECK(attr_of(group, "pool") == "twi-aotzF-");
  CHECK(attr_of(group, "thin") == "Vwi-a-tzF-");
}

TEST_CASE("volumes on a missing physical volume are partial at any depth", "[metadata]") {
  VolumeGroupMetadata metadata = sample();
  metadata.physical_volumes[1].missing = true;
  REQUIRE(mark_partial(metadata));
  model::VolumeGroup group = assemble(metadata, {});
  CHECK(attr_of(group, "lin") == "-wi-----p-");
  CHECK(attr_of(group, "str") == "-rc-----p-");
  CHECK(attr_of(group, "thin") == "Vwi---tz--");

  metadata.physical_volumes[1].missing = false;
  metadata.physical_volumes[0].missing = true;
  REQUIRE(mark_partial(metadata));
  group = assemble(metadata, {});
  CHECK(attr_of(group, "pool_tdata") == "Twi-----p-");
  CHECK(attr_of(group, "pool") == "twi---tzp-");
  CHECK(attr_of(group, "thin") == "Vwi---tzp-");
}
