#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>

#include "lvmd/csi/volume_condition.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::csi;

namespace {

// A thin volume with the device 253:7, in a group with its pool.
struct Sample {
  model::LogicalVolume volume = volumes::sample_volume("pvc-1", model::LvRole::kThin, "pool0");
  model::LogicalVolume pool = volumes::sample_volume("pool0", model::LvRole::kThinPool);
  v1::GetUsageResponse usage;
  mounts::ScratchTree block_devices;

  Sample() { pool.pool_condition.emplace(); }

  [[nodiscard]] ::csi::v1::VolumeCondition condition() const {
    auto state = volumes::sample_state("vg0", 1, 10, {pool, volume});
    const auto group = std::make_shared<const model::VolumeGroup>(std::move(*state.group));
    volumes::HandledVolume handled{.group = group, .volume = group->find("pvc-1"), .device = {}};
    handled.device.set_major(253);
    handled.device.set_minor(7);
    return condition_of(handled, usage, block_devices.path);
  }
};

}  // namespace

TEST_CASE("the condition of a volume names the problem [P-CSI-27]", "[csi]") {
  Sample sample;
  static_cast<void>(sample.block_devices.write("253:7/dm/suspended", "0\n"));
  std::string message;
  SECTION("none") { message = "no problem is known"; }
  SECTION("a missing physical volume") {
    sample.volume.partial = true;
    message = "a physical volume of the volume is missing";
  }
  SECTION("a failed leg") {
    sample.volume.redundancy = model::Redundancy::kDegraded;
    message = "a leg of the volume has failed";
  }
  SECTION("legs that are being synchronised are no problem") {
    sample.volume.redundancy = model::Redundancy::kOutOfSync;
    message = "no problem is known";
  }
  SECTION("a failed pool") {
    sample.pool.pool_condition->kernel = model::PoolHealth::kFailed;
    message = "the state of thin pool vg0/pool0 is failed";
  }
  SECTION("a suspended device") {
    static_cast<void>(sample.block_devices.write("253:7/dm/suspended", "1\n"));
    message = "the device of the volume is suspended";
  }
  SECTION("errors of the file system") {
    auto& error = *sample.usage.add_errors();
    error.set_kind("errors_count");
    error.set_count(3);
    message = "the kernel has recorded errors of the file system: errors_count is 3";
  }
  const auto condition = sample.condition();
  CHECK(condition.message() == message);
  CHECK(condition.abnormal() == (message != "no problem is known"));
}

TEST_CASE("the condition of a volume lists all problems [P-CSI-27]", "[csi]") {
  Sample sample;
  sample.volume.partial = true;
  sample.pool.pool_condition->kernel = model::PoolHealth::kOutOfDataSpace;
  CHECK(sample.condition().message() ==
        "a physical volume of the volume is missing; the state of thin pool vg0/pool0 is "
        "out_of_data_space");
}
