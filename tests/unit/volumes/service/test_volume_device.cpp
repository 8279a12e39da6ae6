#include <catch2/catch.hpp>
#include <string>

#include "lvmd/volumes/service/volume_device.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

namespace {

// A read model with this volume in vg0.
internal::VolumeDevice found_device(const model::LogicalVolume& volume) {
  ReadModel read_model{{"vg0", "vg1"}};
  const auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  read_model.apply(sample_state("vg0", 1, 10, {pool, volume}));
  const bool thin = volume.role == model::LvRole::kThin;
  const auto catalog = sample_catalog();
  const auto device =
      find_device(read_model, *catalog.find_device_class(thin ? "thin" : "ssd"), volume.name);
  REQUIRE(device);
  return *device;
}

bool is_snapshot(const model::LogicalVolume& volume) { return found_device(volume).snapshot(); }

}  // namespace

TEST_CASE("a volume that may have another volume's UUID is a snapshot, thin or thick [P-MOUNT-6]",
          "[server]") {
  auto thin = sample_volume("v", model::LvRole::kThin, "pool0");
  CHECK_FALSE(is_snapshot(thin));
  SECTION("of an existing volume") {
    thin.origin = "origin";
    CHECK(is_snapshot(thin));
  }
  SECTION("of a removed volume") {
    thin.tags = {"lvmd.v1:class=thin", "lvmd.v1:size=41943040", "lvmd.v1:src=origin",
                 "lvmd.v1:access=ro"};
    CHECK(is_snapshot(thin));
  }
  SECTION("thick") {
    auto thick = sample_volume("v", model::LvRole::kCowSnapshot);
    thick.origin = "origin";
    CHECK(is_snapshot(thick));
  }
  SECTION("a cached volume is no snapshot of its origin") {
    auto cached = sample_volume("v", model::LvRole::kPlain);
    cached.origin = "v_corig";
    CHECK_FALSE(is_snapshot(cached));
  }
}

TEST_CASE("a device has the volume's names and number, and whether it is writable [P-MOUNT-3]",
          "[server]") {
  auto volume = sample_volume("v", model::LvRole::kPlain);
  const auto inactive = check_active(found_device(volume));
  REQUIRE_FALSE(inactive);
  CHECK(inactive.error().code == Code::kFailedPrecondition);
  CHECK(inactive.error().reason == "VOLUME_INACTIVE");
  CHECK(inactive.error().message.contains("lvchange -ay -K vg0/v"));
  volume.device = model::DeviceState{.major = 253, .minor = 7};
  volume.writable = false;
  const internal::VolumeDevice device = found_device(volume);
  CHECK(check_active(device));
  CHECK(device.volume_group() == "vg0");
  CHECK(device.name() == "v");
  CHECK(device.major() == 253);
  CHECK(device.minor() == 7);
  CHECK_FALSE(device.writable());
}

TEST_CASE("a device has the uuid that device-mapper has for the volume", "[server]") {
  auto volume = sample_volume("v", model::LvRole::kPlain);
  volume.id = "YQ2vaNKLz1pQ9sTbX4cW7dR0eF8gH6jm";
  model::VolumeGroup group;
  group.name = "vg0";
  group.id = "K3uB5nV7mC9xZ1lKjHgFdSaQwErTyUiO";
  CHECK(device_of(group, volume).uuid() ==
        "LVM-K3uB5nV7mC9xZ1lKjHgFdSaQwErTyUiOYQ2vaNKLz1pQ9sTbX4cW7dR0eF8gH6jm");
}
