// plan() for objects with a source: createLV()'s branch "Has Source LV? YES".
#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "reconciler/volumes/plan.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

namespace {

constexpr Bytes kRequested{1073741824};

LogicalVolume clone_of(const std::string& source) {
  LogicalVolume volume;
  volume.key.name = "clone";
  volume.uid = "uid-2";
  volume.spec = {.node_name = "n1",
                 .size = "1Gi",
                 .device_class = "ssd",
                 .source = source,
                 .access_type = "rw"};
  return volume;
}

Source ready_source() {
  return {.exists = true, .node_name = "n1", .volume_id = "uid-1", .size = kRequested};
}

Error unmet(const LogicalVolume& volume, const Source& source) {
  const VolumeStep step = plan_volume(volume, {.looked_up = true, .source = source});
  REQUIRE(std::holds_alternative<Unmet>(step));
  return std::get<Unmet>(step).error;
}

}  // namespace

TEST_CASE("a snapshot is looked for, then its source is read, and then it is created [R-SRC-3]",
          "[reconciler][plan]") {
  LogicalVolume volume = clone_of("origin");
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
  CHECK(plan_volume(volume, {.looked_up = true}) == VolumeStep{FindSource{}});
  const VolumeObserved ready{.looked_up = true, .source = ready_source()};
  CHECK(plan_volume(volume, ready) == VolumeStep{AddFinalizer{}});
  volume.has_metadata = volume.has_finalizer = true;
  CHECK(plan_volume(volume, ready) ==
        VolumeStep{lvmd::reconciler::CreateSnapshot{.source = "uid-1", .size = kRequested}});
}

TEST_CASE(
    "a snapshot that was created before a crash is found, whatever its source is now [R-SRC-3]",
    "[reconciler][plan]") {
  LogicalVolume volume = clone_of("origin");
  volume.has_metadata = volume.has_finalizer = true;
  const VolumeStep step = plan_volume(volume, {.looked_up = true, .size = kRequested});
  REQUIRE(std::holds_alternative<WriteStatus>(step));
  CHECK(std::get<WriteStatus>(step).status.volume_id == "uid-2");
}

TEST_CASE("an access type other than ro and rw is refused [R-SRC-2, R-PLAN-6]",
          "[reconciler][plan]") {
  LogicalVolume volume = clone_of("origin");
  volume.spec.access_type = GENERATE(as<std::string>{}, "", "RW", "rwx");
  const VolumeStep step = plan_volume(volume, {});
  REQUIRE(std::holds_alternative<WriteStatus>(step));
  const VolumeStatus& status = std::get<WriteStatus>(step).status;
  CHECK(status.code == 3);
  CHECK(status.message.contains("spec.accessType \"" + volume.spec.access_type + "\""));
}

TEST_CASE("an object can't be its own source [R-SRC-2]", "[reconciler][plan]") {
  const VolumeStep step = plan_volume(clone_of("clone"), {});
  REQUIRE(std::holds_alternative<WriteStatus>(step));
  CHECK(std::get<WriteStatus>(step).status.code == 3);
}

TEST_CASE("the access type is ignored without a source [R-OBJ-16]", "[reconciler][plan]") {
  LogicalVolume volume = clone_of("");
  volume.spec.access_type = "whatever";
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
}

TEST_CASE("an unusable source is an error and never leads to an empty volume [R-SRC-4]",
          "[reconciler][plan]") {
  const LogicalVolume volume = clone_of("origin");
  Source source = ready_source();
  SECTION("it doesn't exist") {
    const Error error = unmet(volume, {});
    CHECK(error.code == Code::kNotFound);
    CHECK(error.reason == "NO_SOURCE_OBJECT");
    CHECK(error.message.contains("\"origin\""));
  }
  SECTION("it has no volume yet, which heals") {
    source.volume_id.clear();
    CHECK(unmet(volume, source).code == Code::kUnavailable);
    CHECK(unmet(volume, source).reason == "SOURCE_NOT_READY");
  }
  SECTION("it is on another node") {
    source.node_name = "n2";
    CHECK(unmet(volume, source).code == Code::kFailedPrecondition);
    CHECK(unmet(volume, source).message.contains("n2"));
  }
  SECTION("it is larger") {
    source.size = Bytes{kRequested.value + 4096};
    CHECK(unmet(volume, source).code == Code::kOutOfRange);
    CHECK(unmet(volume, source).message.contains("spec.size \"1Gi\""));
  }
}

TEST_CASE("lvmd checks the size when the source has none [R-SRC-4]", "[reconciler][plan]") {
  Source source = ready_source();
  source.size.reset();
  CHECK(plan_volume(clone_of("origin"), {.looked_up = true, .source = source}) ==
        VolumeStep{AddFinalizer{}});
}
