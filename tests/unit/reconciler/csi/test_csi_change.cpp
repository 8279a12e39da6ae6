// The CSI status of an object, from what the object and lvmd say.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "csi/lifecycle/state.hpp"
#include "reconciler/csi/csi_change.hpp"

using namespace lvmd::reconciler;
namespace lifecycle = lvmd::lifecycle;

namespace {

const FailedCall kBusy{
    .call = "NodeUnpublishVolume", .reason = "MOUNT_BUSY", .message = "pid 7 uses it"};
const FailedCall kDiffers{
    .call = "NodePublishVolume", .reason = "MOUNT_DIFFERS", .message = "it is read-only"};

CsiUse used(VolumeUse volume = {}) { return {.is_enabled = true, .volume = std::move(volume)}; }

// An object with its volume, which has the requested size.
LogicalVolume created() {
  LogicalVolume object{.key = {.name = "data"}, .uid = "uid-1"};
  object.has_finalizer = object.has_metadata = true;
  object.spec.size = "1Gi";
  object.status.volume_id = "uid-1";
  object.status.current_size = Bytes{1 << 30};
  return object;
}

LogicalVolume in_state(const char* state, std::uint32_t publications = 0) {
  LogicalVolume object = created();
  object.status.csi = CsiStatus{.state = state, .publications = publications};
  return object;
}

CsiChange change_of(const LogicalVolume& object, const CsiUse& use = used(), bool removed = false) {
  return csi_change(object, object.status, removed, use);
}

std::string state_of(const LogicalVolume& object, const CsiUse& use = used(),
                     bool removed = false) {
  const auto change = change_of(object, use, removed);
  return change.status ? change.status->state : "none";
}

void add_condition(LogicalVolume& object, std::string_view type) {
  object.status.conditions.push_back(make_condition(type, kFalse, "NotEnoughSpace", "no space"));
}

}  // namespace

TEST_CASE("the state follows from the object and the use of its volume [R-CSI-3]",
          "[reconciler][csi]") {
  LogicalVolume object = created();
  CHECK(state_of(object) == "Created");
  CHECK(state_of(object, used({.staged = true})) == "VolumeReady");
  CHECK(state_of(object, used({.staged = true, .publications = 2})) == "Published");
  CHECK(state_of(object, used({.publications = 1})) == "Published");
  SECTION("no volume yet") {
    object.status = {};
    CHECK(state_of(object) == "Creating");
  }
  SECTION("a volume that only the record of a directory store knows") {
    object.status = {};
    object.created = true;
    CHECK(state_of(object) == "Created");
  }
  SECTION("a larger size") {
    object.spec.size = "2Gi";
    CHECK(state_of(object) == "Resizing");
    CHECK(state_of(object, used({.staged = true, .publications = 1})) == "Resizing");
  }
  SECTION("an unknown size is not known to be smaller") {
    object.status.current_size.reset();
    object.spec.size = "2Gi";
    CHECK(state_of(object) == "Created");
  }
  SECTION("a removal") {
    object.removal_wanted = true;
    CHECK(state_of(object, used({.staged = true})) == "Removing");
    CHECK(state_of(object, used(), true) == "Removed");
  }
  SECTION("the removal of the volume of a stored snapshot is none of the object") {
    CHECK(state_of(object, used(), true) == "Created");
  }
}

TEST_CASE("a restored volume is created when its data is complete [R-CSI-3]", "[reconciler][csi]") {
  LogicalVolume object = created();
  object.status.snapshot = SnapshotStatus{.operation = Operation::kRestore,
                                          .phase = SnapshotPhase::kRunning,
                                          .version = std::string{kStoredVersion}};
  CHECK(state_of(object) == "Creating");
  object.status.snapshot->phase = SnapshotPhase::kSucceeded;
  CHECK(state_of(object) == "Created");
  object.status.snapshot->phase = SnapshotPhase::kFailed;
  add_condition(object, kRestoreReadyType);
  const auto change = change_of(object);
  REQUIRE(change.status->failure);
  CHECK(change.status->failure->call == "CreateVolume");
}

TEST_CASE("a growth ends in Resized until the pods change [R-CSI-3]", "[reconciler][csi]") {
  CHECK(state_of(in_state("Resizing", 1), used({.staged = true, .publications = 1})) == "Resized");
  CHECK(state_of(in_state("Resized", 1), used({.staged = true, .publications = 2})) == "Published");
  CHECK(state_of(in_state("Resized", 1), used({.staged = true})) == "VolumeReady");
}

TEST_CASE("a failed call makes the state Failed, with the call and its reason [R-CSI-4]",
          "[reconciler][csi]") {
  LogicalVolume object = created();
  SECTION("of the node") {
    const auto change = change_of(object, used({.staged = true, .failures = {kDiffers}}));
    REQUIRE(change.status);
    CHECK(*change.status == CsiStatus{.state = "Failed",
                                      .failure = CsiFailure{.call = "NodePublishVolume",
                                                            .reason = "MountDiffers",
                                                            .message = "it is read-only"}});
  }
  SECTION("of the creation") {
    object.status = {};
    add_condition(object, kReadyType);
    CHECK(change_of(object).status->failure ==
          CsiFailure{.call = "CreateVolume", .reason = "NotEnoughSpace", .message = "no space"});
  }
  SECTION("of the growth") {
    object.spec.size = "2Gi";
    add_condition(object, kResizedType);
    CHECK(change_of(object).status->failure->call == "ControllerExpandVolume");
  }
  SECTION("of the growth of the file system") {
    CHECK(change_of(object, used({.failures = {{.call = "NodeExpandVolume", .reason = "X"}}}))
              .status->failure->call == "NodeExpandVolume");
  }
  SECTION("none, but the volume is lost") {
    add_condition(object, kReadyType);
    CHECK(change_of(object, used({.failures = {kDiffers}})).status->failure ==
          CsiFailure{.reason = "NotEnoughSpace", .message = "no space"});
  }
  SECTION("of the removal") {
    object.removal_wanted = true;
    object.generation = object.status.observed_generation = 2;
    add_condition(object, kReadyType);
    CHECK(change_of(object).status->failure->call == "DeleteVolume");
  }
}

TEST_CASE("a failure that does not concern the present request does not count [R-CSI-4]",
          "[reconciler][csi]") {
  LogicalVolume object = created();
  SECTION("a failed creation, once the object is to be removed") {
    object.status = {};
    add_condition(object, kReadyType);
    object.removal_wanted = true;
    object.generation = 2;
    object.status.observed_generation = 1;
    CHECK(state_of(object) == "Removing");
  }
  SECTION("a failed publication during the removal, but a failed unpublication counts") {
    object.removal_wanted = true;
    CHECK(state_of(object, used({.failures = {kDiffers}})) == "Removing");
    CHECK(state_of(object, used({.failures = {kDiffers, kBusy}})) == "Failed");
  }
  SECTION("a call that this version does not know") {
    CHECK(state_of(object, used({.failures = {{.call = "NodeFreezeVolume", .reason = "X"}}})) ==
          "Created");
  }
}

TEST_CASE("without a report of lvmd the CSI status stays, without a driver it is removed [R-CSI-2]",
          "[reconciler][csi]") {
  const LogicalVolume object = in_state("Published", 1);
  const auto unknown = csi_change(object, object.status, false, std::nullopt);
  CHECK(unknown.status == object.status.csi);
  CHECK_FALSE(unknown.event);
  const auto disabled = change_of(object, CsiUse{.is_enabled = false});
  CHECK_FALSE(disabled.status);
  CHECK_FALSE(disabled.event);
}

TEST_CASE("an object that is left alone keeps its CSI status [R-CSI-5, R-OBJ-5, R-PLAN-2]",
          "[reconciler][csi]") {
  LogicalVolume object = in_state("Published", 1);
  SECTION("another controller is about to take it over") {
    object.annotations["topolvm.io/pendingdeletion"] = "";
  }
  SECTION("it has been released") {
    object.removal_wanted = true;
    object.has_finalizer = false;
  }
  CHECK(change_of(object).status == object.status.csi);
  CHECK_FALSE(change_of(object).event);
}

TEST_CASE("an edge of the diagram has an event with its own reason [R-CSI-6]",
          "[reconciler][csi]") {
  const auto event =
      change_of(in_state("VolumeReady"), used({.staged = true, .publications = 1})).event;
  REQUIRE(event);
  CHECK(*event == Event{.reason = "VolumePublished",
                        .message = "csiStatus is Published, before VolumeReady"});
  LogicalVolume fresh = created();
  fresh.status = {};
  CHECK(change_of(fresh).event ==
        Event{.reason = "VolumeRequested", .message = "csiStatus is Creating"});
}

TEST_CASE("a change without an edge is Observed [R-CSI-6]", "[reconciler][csi]") {
  // The node was rebooted.
  CHECK(change_of(in_state("Published", 1)).event ==
        Event{.reason = "Observed", .message = "csiStatus is Created, before Published"});
  // The driver was enabled for existing volumes.
  CHECK(change_of(created(), used({.publications = 1})).event->reason == "Observed");
  // Another writer's state counts as none.
  CHECK(change_of(in_state("PUBLISHED")).event->reason == "Observed");
}

TEST_CASE("a change to Failed is a warning with the cause [R-CSI-6]", "[reconciler][csi]") {
  const CsiUse busy = used({.staged = true, .publications = 1, .failures = {kBusy}});
  const auto event = change_of(in_state("Published", 1), busy).event;
  REQUIRE(event);
  CHECK(event->is_warning);
  CHECK(event->reason == "VolumeUnpublishFailed");
  CHECK(event->message ==
        "csiStatus is Failed, before Published: NodeUnpublishVolume failed: pid 7 uses it");
}

TEST_CASE("another number of pods changes the status without an event [R-CSI-6]",
          "[reconciler][csi]") {
  const auto change =
      change_of(in_state("Published", 1), used({.staged = true, .publications = 2}));
  CHECK(change.status == CsiStatus{.state = "Published", .publications = 2});
  CHECK_FALSE(change.event);
}

TEST_CASE("writing the status once is enough, from every state [R-CSI-5]", "[reconciler][csi]") {
  const std::vector<VolumeUse> uses{{},
                                    {.staged = true},
                                    {.staged = true, .publications = 1},
                                    {.staged = true, .publications = 2, .failures = {kBusy}}};
  for (const lifecycle::State state : lifecycle::kStates)
    for (const VolumeUse& use : uses) {
      LogicalVolume object = in_state(std::string{lifecycle::name_of(state)}.c_str(), 1);
      CAPTURE(object.status.csi->state, use.publications);
      object.status.csi = change_of(object, used(use)).status;
      CHECK(change_of(object, used(use)).status == object.status.csi);
      CHECK_FALSE(change_of(object, used(use)).event);
    }
}
