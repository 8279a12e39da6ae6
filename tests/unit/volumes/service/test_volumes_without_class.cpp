#include <catch2/catch.hpp>

#include "lvmd/volumes/service/volumes_without_class.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

namespace {

model::LogicalVolume made_for(const std::string& device_class, const std::string& name) {
  auto lv = sample_volume(name, model::LvRole::kPlain);
  lv.tags = {"mine", "lvmd.v1:class=" + device_class, "lvmd.v1:size=4194304"};
  return lv;
}

}  // namespace

TEST_CASE("volumes whose class no longer belongs to the group are counted by class [P-RELOAD-2]",
          "[server]") {
  const auto state = sample_state(
      "vg0", 1, 10,
      {made_for("gone", "a"), made_for("gone", "b"), made_for("disks", "c"), made_for("ssd", "d"),
       // Created by hand or by TopoLVM: no tag names a class.
       sample_volume("e", model::LvRole::kPlain)});
  // "disks" is a class of vg1.
  CHECK(find_volumes_without_class(*state.group, sample_catalog()) ==
        VolumesWithoutClass{{"gone", 2}, {"disks", 1}});
}

TEST_CASE("the description of volumes without a class says what to do", "[server]") {
  CHECK(describe(VolumesWithoutClass{}).empty());
  const std::string text = describe(VolumesWithoutClass{{"disks", 1}, {"gone", 2}});
  CHECK(text.find("1 of device class disks, 2 of device class gone") != std::string::npos);
  CHECK(text.find("restore the class there") != std::string::npos);
}
