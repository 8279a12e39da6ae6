// plan() for older objects, which name a volume group in the place of a device class.
#include <catch2/catch.hpp>
#include <variant>

#include "reconciler/volumes/plan.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

namespace {

LogicalVolume older_object() {
  LogicalVolume volume;
  volume.key = {.group = Group::kLegacy, .name = "data"};
  volume.uid = "uid-1";
  volume.spec = {.size = "1Gi", .vg_name = "vg0"};
  return volume;
}

}  // namespace

TEST_CASE("the classes of spec.vgName are read before anything else [R-OBJ-17]",
          "[reconciler][plan]") {
  LogicalVolume volume = older_object();
  CHECK(plan_volume(volume, {}) == VolumeStep{FindClasses{}});
  CHECK(plan_volume(volume, {.classes = Classes{{"ssd", false}}}) == VolumeStep{LookUp{}});
  volume.spec.device_class = "thin";
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
}

TEST_CASE("growth and removal read the classes too, a settled object does not [R-OBJ-17]",
          "[reconciler][plan]") {
  LogicalVolume volume = older_object();
  volume.has_metadata = volume.has_finalizer = true;
  volume.status = {.volume_id = "uid-1", .current_size = Bytes{1 << 20}};
  CHECK(plan_volume(volume, {}) == VolumeStep{FindClasses{}});
  CHECK(plan_volume(volume, {.classes = Classes{{"ssd", true}}}) == VolumeStep{Resize{{1 << 30}}});
  volume.removal_wanted = volume.removal_begun = true;
  CHECK(plan_volume(volume, {}) == VolumeStep{FindClasses{}});
  CHECK(plan_volume(volume, {.classes = Classes{{"ssd", true}}}) == VolumeStep{Remove{}});
  CHECK(plan_volume(volume, {.classes = Classes{{"ssd", true}}, .removed = true}) ==
        VolumeStep{RemoveFinalizer{}});
  LogicalVolume settled = older_object();
  settled.has_metadata = settled.has_finalizer = true;
  settled.status = {.volume_id = "uid-1", .current_size = Bytes{1 << 30}};
  CHECK(std::holds_alternative<WriteStatus>(plan_volume(settled, {})));
}

TEST_CASE("the class is the only one, or the one that has the volume [R-OBJ-17]",
          "[reconciler][plan]") {
  const LogicalVolume volume = older_object();
  CHECK(device_class_of(volume, {{"ssd", false}}) == "ssd");
  CHECK(device_class_of(volume, {{"ssd", false}, {"thin", true}}) == "thin");
}

TEST_CASE("the name of the default class is read before a volume is created in it [R-CREATE-8]",
          "[reconciler][plan]") {
  LogicalVolume volume = older_object();
  volume.spec.vg_name.clear();
  CHECK(plan_volume(volume, {}) == VolumeStep{FindClasses{}});
  CHECK(plan_volume(volume, {.classes = Classes{{"ssd", false}}}) == VolumeStep{LookUp{}});
  CHECK(device_class_of(volume, {{"ssd", false}}) == "ssd");
  // An lvmd that can't tell it.
  CHECK(plan_volume(volume, {.classes = Classes{}}) == VolumeStep{LookUp{}});
  CHECK(device_class_of(volume, {})->empty());
  SECTION("a volume that is there stays in the class that it was made in") {
    volume.has_metadata = volume.has_finalizer = true;
    volume.status = {.volume_id = "uid-1", .current_size = Bytes{1 << 20}};
    CHECK(plan_volume(volume, {}) == VolumeStep{Resize{{1 << 30}}});
  }
  SECTION("a removal goes on without it") {
    volume.has_finalizer = volume.removal_wanted = volume.removal_begun = true;
    CHECK(plan_volume(volume, {}) == VolumeStep{Remove{}});
  }
}

TEST_CASE("several classes without the volume are ambiguous, but not for a removal [R-OBJ-17]",
          "[reconciler][plan]") {
  LogicalVolume volume = older_object();
  const Classes classes{{"ssd", false}, {"thin", false}};
  const VolumeStep step = plan_volume(volume, {.classes = classes});
  REQUIRE(std::holds_alternative<Unmet>(step));
  const Error& error = std::get<Unmet>(step).error;
  CHECK(error.code == Code::kFailedPrecondition);
  CHECK(error.message.contains("ssd"));
  CHECK(error.message.contains("thin"));
  volume.has_finalizer = volume.removal_wanted = volume.removal_begun = true;
  CHECK(plan_volume(volume, {.classes = classes}) == VolumeStep{Remove{}});
}

TEST_CASE("a volume group without a usable class is awaited, also for a removal [R-OBJ-17]",
          "[reconciler][plan]") {
  LogicalVolume volume = older_object();
  volume.has_finalizer = volume.removal_wanted = volume.removal_begun = GENERATE(false, true);
  const VolumeStep step = plan_volume(volume, {.classes = Classes{}});
  REQUIRE(std::holds_alternative<Unmet>(step));
  CHECK(std::get<Unmet>(step).error.code == Code::kUnavailable);
}
