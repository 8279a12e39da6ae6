#include <catch2/catch.hpp>

#include "lvmd/volumes/worker/new_volume.hpp"
#include "sample_group.hpp"

using lvmd::volumes::worker::Intent;
using lvmd::volumes::worker::next_step;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

// The next LVM command for a snapshot in this condition; "" if none is needed.
std::string step_for(const model::LogicalVolume& lv) {
  const Intent intent{.kind = Intent::Kind::kSnapshot,
                      .volume = "new",
                      .ownership = {.device_class = "thin",
                                    .size = {4 * kExtent},
                                    .option_class = {},
                                    .source = "origin",
                                    .access_type = "ro"}};
  const auto step = next_step(sample_group(), lv, intent);
  return step ? step->line().value() : "";
}

model::LogicalVolume whole() {
  model::LogicalVolume lv;
  lv.name = "new";
  lv.size = {4 * kExtent};
  lv.writable = false;
  lv.device = model::DeviceState{.major = 254, .minor = 3};
  return lv;
}

}  // namespace

TEST_CASE(
    "an interrupted snapshot is completed, one command after the other [P-INTENT-1, P-SNAP-9]",
    "[worker]") {
  CHECK(step_for(whole()).empty());

  model::LogicalVolume lv = whole();
  lv.writable = true;
  lv.device.reset();
  // The snapshot must be read-only before it is active.
  CHECK(step_for(lv) == "lvchange -y -p r vg0/new");
  lv.writable = false;
  CHECK(step_for(lv) == "lvchange -y -a y vg0/new");

  // The lvm program was killed before it resumed the device with its table.
  lv = whole();
  lv.device->live_table = false;
  CHECK(step_for(lv) == "lvchange -y -a y vg0/new");

  lv = whole();
  lv.size = {kExtent};
  CHECK(step_for(lv) == "lvresize -y -l 4 vg0/new");
}
