#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/csi/volume_health.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::csi;
using ::csi::v1::VolumeHealthErrorType;

namespace {

// A thin volume with the device 253:7, in a group with its pool.
struct Sample {
  model::LogicalVolume volume = volumes::sample_volume("pvc-1", model::LvRole::kThin, "pool0");
  model::LogicalVolume pool = volumes::sample_volume("pool0", model::LvRole::kThinPool);
  std::uint32_t major = 253;
  v1::GetUsageResponse usage;
  mounts::ScratchTree block_devices;

  Sample() { pool.pool_condition.emplace(); }

  void add_error(const std::string& kind, std::uint64_t count) {
    auto& error = *usage.add_errors();
    error.set_kind(kind);
    error.set_count(count);
  }

  [[nodiscard]] ::csi::v1::VolumeHealth health() const {
    auto state = volumes::sample_state("vg0", 1, 10, {pool, volume});
    const auto group = std::make_shared<const model::VolumeGroup>(std::move(*state.group));
    volumes::HandledVolume handled{.group = group, .volume = group->find("pvc-1"), .device = {}};
    handled.device.set_major(major);
    handled.device.set_minor(7);
    return health_of(handled, usage, block_devices.path);
  }
};

struct Problem {
  VolumeHealthErrorType status;
  std::string reason;
  std::string message;
};

}  // namespace

TEST_CASE("the health of a volume names the problem [P-CSI-27, P-CSI-28]", "[csi]") {
  Sample sample;
  static_cast<void>(sample.block_devices.write("253:7/dm/suspended", "0\n"));
  std::optional<Problem> problem;
  SECTION("none") {}
  SECTION("a missing physical volume") {
    sample.volume.partial = true;
    problem = {::csi::v1::INACCESSIBLE, "PhysicalVolumeMissing",
               "a physical volume of the volume is missing"};
  }
  SECTION("a failed leg") {
    sample.volume.redundancy = model::Redundancy::kDegraded;
    problem = {::csi::v1::DEGRADED, "LegFailed", "a leg of the volume has failed"};
  }
  SECTION("legs that are being synchronised are no problem") {
    sample.volume.redundancy = model::Redundancy::kOutOfSync;
  }
  SECTION("a failed pool") {
    sample.pool.pool_condition->kernel = model::PoolHealth::kFailed;
    problem = {::csi::v1::INACCESSIBLE, "ThinPoolFailed",
               "the state of thin pool vg0/pool0 is failed"};
  }
  SECTION("a full pool") {
    sample.pool.pool_condition->kernel = model::PoolHealth::kOutOfDataSpace;
    problem = {::csi::v1::DEGRADED, "ThinPoolDegraded",
               "the state of thin pool vg0/pool0 is out_of_data_space"};
  }
  SECTION("an inactive volume") {
    sample.major = 0;
    problem = {::csi::v1::INACCESSIBLE, "VolumeInactive",
               "the volume is inactive, so it has no device"};
  }
  SECTION("a suspended device") {
    static_cast<void>(sample.block_devices.write("253:7/dm/suspended", "1\n"));
    problem = {::csi::v1::INACCESSIBLE, "DeviceSuspended", "the device of the volume is suspended"};
  }
  SECTION("errors of the file system") {
    sample.add_error("write_io_errs", 3);
    sample.add_error("corruption_errs", 1);
    problem = {::csi::v1::DEGRADED, "FileSystemErrors",
               "the kernel has recorded errors of the file system: write_io_errs is 3, "
               "corruption_errs is 1"};
  }
  const auto health = sample.health();
  CHECK(health.volume_id() == "pvc-1");
  REQUIRE(health.health_statuses_size() == (problem ? 1 : 0));
  CHECK(condition_of(health).abnormal() == problem.has_value());
  if (problem) {
    CHECK(health.health_statuses(0).status() == problem->status);
    CHECK(health.health_statuses(0).reason() == problem->reason);
    CHECK(health.health_statuses(0).message() == problem->message);
    CHECK(condition_of(health).message() == problem->message);
  } else {
    CHECK(condition_of(health).message() == "no problem is known");
  }
}

TEST_CASE("the health of a volume lists all problems [P-CSI-27, P-CSI-28]", "[csi]") {
  Sample sample;
  sample.volume.partial = true;
  sample.pool.pool_condition->kernel = model::PoolHealth::kOutOfDataSpace;
  const auto health = sample.health();
  CHECK(health.health_statuses_size() == 2);
  CHECK(condition_of(health).message() ==
        "a physical volume of the volume is missing; the state of thin pool vg0/pool0 is "
        "out_of_data_space");
}

TEST_CASE("a volume with another leg is usable while a physical volume is missing [P-CSI-28]",
          "[csi]") {
  Sample sample;
  sample.volume.partial = true;
  sample.volume.redundancy = model::Redundancy::kDegraded;
  const auto health = sample.health();
  REQUIRE(health.health_statuses_size() == 2);
  CHECK(health.health_statuses(0).status() == ::csi::v1::DEGRADED);
  CHECK(health.health_statuses(1).status() == ::csi::v1::DEGRADED);
}
