#include <catch2/catch.hpp>

#include "lvmd/volumes/worker/removal.hpp"
#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::check_nothing_lost;
using lvmd::volumes::worker::lost_volumes;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;
using Names = std::vector<std::string>;

namespace {

// Uses the names as IDs.
model::VolumeGroup identified(model::VolumeGroup group) {
  for (model::LogicalVolume& lv : group.logical_volumes) lv.id = lv.name;
  return group;
}

model::LogicalVolume part(std::string name, std::string of) {
  auto lv = volume(std::move(name), model::LvRole::kInternal, 1);
  lv.part_of = std::move(of);
  return lv;
}

// The sample group with a cached volume, its parts, and the data volume of the pool.
model::VolumeGroup layered_group() {
  auto group = with(sample_group(), volume("cached", model::LvRole::kPlain, 4));
  group = with(std::move(group), part("cached_corig", "cached"));
  group = with(std::move(group), part("fast_cpool", "cached"));
  group = with(std::move(group), part("fast_cpool_cdata", "fast_cpool"));
  group = with(std::move(group), part("pool0_tdata", "pool0"));
  return identified(std::move(group));
}

model::VolumeGroup without(model::VolumeGroup group, const Names& names) {
  std::erase_if(group.logical_volumes, [&](const model::LogicalVolume& lv) {
    return std::ranges::find(names, lv.name) != names.end();
  });
  return group;
}

Names lost(const std::string& removed, const Names& gone) {
  const auto before = layered_group();
  return lost_volumes(before, without(before, gone), *before.find(removed));
}

}  // namespace

TEST_CASE("a removal may remove the volume and its hidden parts [P-REMOVE-21]", "[worker]") {
  CHECK(lost("plain", {"plain"}).empty());
  CHECK(lost("cached", {"cached", "cached_corig", "fast_cpool", "fast_cpool_cdata"}).empty());
  // LVM removes the spare metadata with the last pool. It is not part of a volume.
  CHECK(lost("cached", {"cached", "lvol0_pmspare"}).empty());
}

TEST_CASE("the error names the other volumes that disappeared with a removal [P-REMOVE-21]",
          "[worker]") {
  CHECK(lost("plain", {"plain", "thin1"}) == Names{"thin1"});
  CHECK(lost("plain", {"plain", "pool0", "pool0_tdata"}) == Names{"pool0", "pool0_tdata"});
  // A part of another volume, which still exists.
  CHECK(lost("plain", {"plain", "fast_cpool_cdata"}) == Names{"fast_cpool_cdata"});

  const auto before = layered_group();
  const auto status =
      check_nothing_lost(before, without(before, {"plain", "thin1"}), *before.find("plain"));
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kInternal);
  CHECK_THAT(status.error().message,
             Catch::Contains("other volumes disappeared while vg0/plain was removed: thin1"));
}

TEST_CASE("a renamed volume, or a group with another ID, is no loss [P-REMOVE-21]", "[worker]") {
  const auto before = layered_group();
  auto renamed = without(before, {"plain"});
  for (model::LogicalVolume& lv : renamed.logical_volumes)
    if (lv.name == "thin1") lv.name = "thin2";
  CHECK(lost_volumes(before, renamed, *before.find("plain")).empty());
  auto other = without(before, {"plain", "thin1"});
  other.id = "another";
  CHECK(lost_volumes(before, other, *before.find("plain")).empty());
}
