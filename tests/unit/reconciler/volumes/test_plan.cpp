#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "lvmd/base/reason.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/plan.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

namespace {

constexpr Bytes kGi{1073741824};

// An object as a kube store offers it before anything was done for it.
LogicalVolume new_object() {
  LogicalVolume volume;
  volume.key = {.group = Group::kTopolvm, .name = "data"};
  volume.uid = "uid-1";
  volume.spec.size = "1Gi";
  volume.spec.device_class = "ssd";
  return volume;
}

LogicalVolume marked_object() {
  LogicalVolume volume = new_object();
  volume.has_metadata = true;
  volume.has_finalizer = true;
  return volume;
}

LogicalVolume finished_object() {
  LogicalVolume volume = marked_object();
  volume.status = {.volume_id = "uid-1",
                   .current_size = kGi,
                   .conditions = {{.type = "Ready", .status = "True", .reason = "Provisioned"},
                                  {.type = "Resized", .status = "True", .reason = "SizeReached"}}};
  return volume;
}

LogicalVolume removed_object() {
  LogicalVolume volume = finished_object();
  volume.removal_wanted = true;
  volume.removal_begun = true;
  return volume;
}

VolumeStatus status_of(const VolumeStep& step) {
  REQUIRE(std::holds_alternative<WriteStatus>(step));
  return std::get<WriteStatus>(step).status;
}

Condition condition_of(const VolumeStatus& status, std::string_view type) {
  const Condition* const found = find_condition(status.conditions, type);
  return found == nullptr ? Condition{} : *found;
}

}  // namespace

TEST_CASE("an object with pendingdeletion is not changed and not removed [R-PLAN-1, R-OBJ-5]",
          "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(new_object(), removed_object());
  volume.annotations["topolvm.io/pendingdeletion"] = "";
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("keys of the older group begin with the older group [R-OBJ-1]", "[reconciler][plan]") {
  LogicalVolume volume = new_object();
  volume.annotations["topolvm.cybozu.com/pendingdeletion"] = "true";
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
  volume.key.group = Group::kLegacy;
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
  CHECK(finalizer_of(Group::kLegacy) == "topolvm.cybozu.com/logicalvolume");
}

TEST_CASE("an object without a finalizer needs no step [R-PLAN-2]", "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.has_finalizer = false;
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE(
    "a removal is recorded, the volume removed, then the finalizer [R-PLAN-3, R-PLAN-4, R-REC-3]",
    "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.removal_begun = false;
  CHECK(plan_volume(volume, {}) == VolumeStep{BeginRemoval{}});
  volume.removal_begun = true;
  CHECK(plan_volume(volume, {}) == VolumeStep{Remove{}});
  CHECK(plan_volume(volume, {.removed = true}) == VolumeStep{RemoveFinalizer{}});
}

TEST_CASE("a volume created just before a crash is removed too [R-DELETE-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.status = {};
  CHECK(plan_volume(volume, {}) == VolumeStep{Remove{}});
}

TEST_CASE("an abandoned object is released, only during its removal and only with true [R-PLAN-12]",
          "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.annotations["lvmd.io/abandon"] = "true";
  CHECK(plan_volume(volume, {}) == VolumeStep{ClearOwner{}});
  CHECK(plan_volume(volume, {.owner_cleared = true}) == VolumeStep{Abandon{}});
  volume.annotations["lvmd.io/abandon"] = GENERATE(as<std::string>{}, "", "True", "yes", "false");
  CHECK(plan_volume(volume, {}) == VolumeStep{Remove{}});
  LogicalVolume wanted = finished_object();
  wanted.annotations["lvmd.io/abandon"] = "true";
  CHECK(plan_volume(wanted, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("a wrong spec does not keep a volume from being removed", "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.spec.size = "-1Gi";
  CHECK(plan_volume(volume, {}) == VolumeStep{Remove{}});
}

TEST_CASE("an object with another object's volumeID is not changed", "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(finished_object(), removed_object());
  volume.status.volume_id = "uid-of-another";
  const VolumeStatus status = status_of(plan_volume(volume, {}));
  CHECK(status.code == 9);
  CHECK(status.message.contains("uid-of-another"));
  CHECK(status.volume_id == "uid-of-another");
  volume.status = status;
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("a wrong size is refused before anything is changed [R-PLAN-5, R-QTY-3]",
          "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(new_object(), marked_object(), finished_object());
  volume.spec.size = "-1Gi";
  const VolumeStatus before = volume.status;
  const VolumeStatus status = status_of(plan_volume(volume, {}));
  CHECK(status.code == 3);
  CHECK(status.message.contains("spec.size \"-1Gi\""));
  CHECK(status.volume_id == before.volume_id);
  CHECK(status.current_size == before.current_size);
  volume.status = status;
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("a defect that the store found is reported, and nothing else is done [R-FAIL-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.defect = make_error(Code::kInvalidArgument, "two documents");
  CHECK(status_of(plan_volume(volume, {})).message == "two documents");
}

TEST_CASE("an object with a source and a volume is grown like any other [R-SRC-3]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.source = "origin";
  volume.spec.size = "2Gi";
  CHECK(plan_volume(volume, {}) == VolumeStep{Resize{{2 * kGi.value}}});
}

TEST_CASE(
    "a volume is looked for and the finalizer added before the volume is created [R-PLAN-7, "
    "R-PLAN-8, R-CREATE-1, R-CREATE-2]",
    "[reconciler][plan]") {
  CHECK(plan_volume(new_object(), {}) == VolumeStep{LookUp{}});
  CHECK(plan_volume(new_object(), {.looked_up = true}) == VolumeStep{AddFinalizer{}});
  CHECK(plan_volume(new_object(), {.looked_up = true, .size = kGi}) == VolumeStep{AddFinalizer{}});
  CHECK(plan_volume(marked_object(), {.looked_up = true}) == VolumeStep{Create{.size = kGi}});
}

TEST_CASE("an object with a volume gets a lost finalizer again [R-PLAN-7]", "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.has_metadata = false;
  CHECK(plan_volume(volume, {}) == VolumeStep{AddFinalizer{}});
}

TEST_CASE("a directory's object gets its record after its class was found [R-REC-2]",
          "[reconciler][plan]") {
  LogicalVolume volume = new_object();
  volume.uid.clear();
  volume.has_metadata = true;
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
  CHECK(plan_volume(volume, {.looked_up = true}) == VolumeStep{AddFinalizer{}});
  volume.uid = "uid-1";
  volume.has_finalizer = true;
  CHECK(plan_volume(volume, {.looked_up = true}) == VolumeStep{Create{.size = kGi}});
}

TEST_CASE("the size is rounded up before lvmd sees it [R-QTY-2]", "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.spec.size = "4097";
  CHECK(plan_volume(volume, {.looked_up = true}) == VolumeStep{Create{.size = {8192}}});
}

TEST_CASE("an existing volume, found or created, is written to the status at once [R-CREATE-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.status.code = 13;
  volume.status.message = "from before";
  const VolumeStatus status =
      status_of(plan_volume(volume, {.looked_up = true, .size = Bytes{kGi.value + 4194304}}));
  VolumeStatus expected = finished_object().status;
  expected.current_size = Bytes{kGi.value + 4194304};
  CHECK(status == expected);
}

TEST_CASE("an object with a failure is retried, whoever wrote the code [R-CREATE-6]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.status.code = static_cast<std::uint32_t>(GENERATE(8, 13, 14, 99));
  volume.status.message = "no space";
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
}

TEST_CASE("a volume smaller than requested, or of unknown size, is grown [R-PLAN-9, R-GROW-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.size = "2Gi";
  volume.status.current_size = GENERATE(std::optional<Bytes>{}, std::optional<Bytes>{kGi});
  CHECK(plan_volume(volume, {}) == VolumeStep{Resize{{2 * kGi.value}}});
  const VolumeStatus status = status_of(plan_volume(volume, {.size = Bytes{2 * kGi.value}}));
  CHECK(status.current_size == Bytes{2 * kGi.value});
}

TEST_CASE("a found volume that is smaller than requested is adopted, then grown",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.spec.size = "2Gi";
  const VolumeObserved observed{.looked_up = true, .size = kGi};
  volume.status = status_of(plan_volume(volume, observed));
  CHECK(volume.status.current_size == kGi);
  CHECK(plan_volume(volume, observed) == VolumeStep{Resize{{2 * kGi.value}}});
}

TEST_CASE("volumes never shrink [R-GROW-4]", "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.size = "512Mi";
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("a volume is never created twice, even when the status was lost [R-RUN-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.created = true;
  CHECK(plan_volume(volume, {}) == VolumeStep{Resize{kGi}});
  CHECK(status_of(plan_volume(volume, {.size = kGi})) == finished_object().status);
}

TEST_CASE("an error does not outlive its cause [R-PLAN-10, R-FAIL-6]", "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.status.code = 8;
  volume.status.message = "no space";
  CHECK(status_of(plan_volume(volume, {})) == finished_object().status);
}

TEST_CASE("an object that is as requested needs no step [R-PLAN-11, R-RUN-3]",
          "[reconciler][plan]") {
  CHECK(plan_volume(finished_object(), {}) == VolumeStep{Nothing{}});
  CHECK(plan_volume(finished_object(), {.size = kGi}) == VolumeStep{Nothing{}});
}

TEST_CASE("a transient failure is in the conditions only [R-FAIL-1]", "[reconciler][plan]") {
  const Code code = GENERATE(Code::kUnavailable, Code::kAborted, Code::kDeadlineExceeded,
                             Code::kCancelled, Code::kUnknown);
  const VolumeStatus status =
      failed_status(marked_object(), make_error(code, "VG vg0 is locked").because("SOME_REASON"));
  CHECK(status.code == 0);
  CHECK(status.message.empty());
  CHECK(condition_of(status, "Ready") == Condition{.type = "Ready",
                                                   .status = "False",
                                                   .reason = "SomeReason",
                                                   .message = "VG vg0 is locked"});
  VolumeStatus before = finished_object().status;
  before.code = 8;
  before.message = "no space";
  LogicalVolume volume = finished_object();
  volume.status = before;
  CHECK(failed_status(volume, make_error(code, "busy")).code == 8);
  CHECK(failed_status(volume, make_error(code, "busy")).volume_id == "uid-1");
}

TEST_CASE("any other error has lvmd's own code and message [R-FAIL-2]", "[reconciler][plan]") {
  const auto [code, number] = GENERATE(table<Code, std::uint32_t>({
      {Code::kInvalidArgument, 3},
      {Code::kNotFound, 5},
      {Code::kResourceExhausted, 8},
      {Code::kFailedPrecondition, 9},
      {Code::kInternal, 13},
  }));
  const VolumeStatus status =
      failed_status(finished_object(), make_error(code, "no space left: free=0"));
  CHECK(status.volume_id == "uid-1");
  CHECK(status.code == number);
  CHECK(status.message == "no space left: free=0");
  CHECK(status.current_size == kGi);
}

TEST_CASE("a growth that fails leaves the volume ready, a lost volume does not [R-OBJ-25]",
          "[reconciler][plan]") {
  const LogicalVolume volume = finished_object();
  const VolumeStatus full = failed_status(
      volume,
      make_error(Code::kResourceExhausted, "no space").because(lvmd::reason::kNotEnoughSpace));
  CHECK(condition_of(full, "Ready").status == "True");
  CHECK(condition_of(full, "Resized").status == "False");
  CHECK(condition_of(full, "Resized").reason == "NotEnoughSpace");
  const Error lost = make_error(Code::kNotFound, "no volume uid-1");
  CHECK(condition_of(failed_status(volume, lost), "Ready").reason == "NotFound");
  const Error unknown_class =
      make_error(Code::kNotFound, "no class").because(lvmd::reason::kUnknownDeviceClass);
  CHECK(condition_of(failed_status(volume, unknown_class), "Ready").status == "True");
  const Error in_use = make_error(Code::kFailedPrecondition, "in use");
  CHECK(condition_of(failed_status(removed_object(), in_use), "Ready").status == "False");
}

TEST_CASE("conditions of other writers are not changed [R-OBJ-25]", "[reconciler][plan]") {
  const Condition foreign{.type = "BackupReady",
                          .status = "False",
                          .reason = "Waiting",
                          .message = "for a bucket",
                          .last_transition_time = "2026-01-01T00:00:00Z",
                          .observed_generation = 3};
  LogicalVolume volume = marked_object();
  volume.status.conditions = {foreign};
  const Error error = make_error(Code::kResourceExhausted, "no space");
  CHECK(condition_of(failed_status(volume, error), "BackupReady") == foreign);
  volume.status = status_of(plan_volume(volume, {.looked_up = true, .size = kGi}));
  CHECK(condition_of(volume.status, "BackupReady") == foreign);
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("an old failure is not shown for a new request [R-FAIL-11, R-PLAN-13]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.generation = 1;
  volume.status = failed_status(volume, make_error(Code::kResourceExhausted, "no space"));
  CHECK(plan_volume(volume, {}) == VolumeStep{LookUp{}});
  bool renewed = false;
  SECTION("the spec has changed") { volume.generation = 2; }
  SECTION("another request has changed, or the store doesn't count") { renewed = true; }
  const VolumeStatus status = status_of(plan_volume(volume, {.renewed = renewed}));
  CHECK(status.code == 0);
  CHECK(status.message.empty());
  CHECK(status.observed_generation == volume.generation);
  CHECK(condition_of(status, "Ready").status == "Unknown");
  CHECK(condition_of(status, "Ready").reason == "Pending");
  volume.status = status;
  CHECK(plan_volume(volume, {.renewed = renewed}) == VolumeStep{LookUp{}});
}

TEST_CASE("a new spec that is wrong replaces the old failure in one write [R-FAIL-11, R-PLAN-5]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.generation = 1;
  volume.status = failed_status(volume, make_error(Code::kResourceExhausted, "no space"));
  volume.generation = 2;
  volume.spec.size = "0";
  CHECK(status_of(plan_volume(volume, {})).code == 3);
}

TEST_CASE("a change of the spec that requests nothing is observed [R-OBJ-24]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.generation = 2;
  volume.spec.size = "512Mi";
  const VolumeStatus status = status_of(plan_volume(volume, {}));
  CHECK(status.observed_generation == 2);
  volume.status = status;
  CHECK(plan_volume(volume, {}) == VolumeStep{Nothing{}});
}

TEST_CASE("an unavailable lvmd is in no object's status [R-FAIL-9]", "[reconciler][plan]") {
  const Error away = make_error(Code::kUnavailable, "connection refused")
                         .because(reconciler::own_reason::kLvmdUnreachable);
  CHECK(is_lvmd_away(away));
  CHECK(is_lvmd_away(make_error(Code::kUnavailable, "bye").because(lvmd::reason::kStopping)));
  CHECK_FALSE(is_lvmd_away(make_error(Code::kUnavailable, "VG vg0 is missing")));
}

TEST_CASE(
    "a refused creation is distinguished from a transient failure and from one with a volume "
    "[R-FAIL-10]",
    "[reconciler][plan]") {
  const Error refused = make_error(Code::kResourceExhausted, "no space");
  CHECK(is_refused_creation(marked_object(), refused));
  CHECK_FALSE(is_refused_creation(marked_object(), make_error(Code::kAborted, "locked")));
  CHECK_FALSE(is_refused_creation(finished_object(), refused));
  CHECK_FALSE(is_refused_creation(removed_object(), refused));
}
