#include <catch2/catch.hpp>

#include "lvmd/volumes/worker/new_volume.hpp"
#include "sample_group.hpp"

using lvmd::volumes::worker::Intent;
using lvmd::volumes::worker::next_step;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

// What LVM would be told next about a snapshot in this condition; "" for nothing.
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
  // Read-only before anybody could write to it.
  CHECK(step_for(lv) == "lvchange -y -p r vg0/new");
  lv.writable = false;
  CHECK(step_for(lv) == "lvchange -y -a y vg0/new");

  // LVM's program was killed before its table was in use.
  lv = whole();
  lv.device->live_table = false;
  CHECK(step_for(lv) == "lvchange -y -a y vg0/new");

  lv = whole();
  lv.size = {kExtent};
  CHECK(step_for(lv) == "lvresize -y -l 4 vg0/new");
}
