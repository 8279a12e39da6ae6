#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <variant>

#include "reconciler/plan/failure.hpp"
#include "reconciler/plan/plan.hpp"

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
  volume.marked = true;
  volume.held = true;
  return volume;
}

LogicalVolume finished_object() {
  LogicalVolume volume = marked_object();
  volume.status = {.volume_id = "uid-1", .current_size = kGi};
  return volume;
}

LogicalVolume removed_object() {
  LogicalVolume volume = finished_object();
  volume.removal_wanted = true;
  volume.removal_begun = true;
  return volume;
}

VolumeStatus status_of(const Step& step) {
  REQUIRE(std::holds_alternative<WriteStatus>(step));
  return std::get<WriteStatus>(step).status;
}

}  // namespace

TEST_CASE("pendingdeletion leaves an object alone, its removal too [R-PLAN-1, R-OBJ-5]",
          "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(new_object(), removed_object());
  volume.annotations["topolvm.io/pendingdeletion"] = "";
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("keys of the older group begin with the older group [R-OBJ-1]", "[reconciler][plan]") {
  LogicalVolume volume = new_object();
  volume.annotations["topolvm.cybozu.com/pendingdeletion"] = "true";
  CHECK(plan(volume, {}) == Step{LookUp{}});
  volume.key.group = Group::kLegacy;
  CHECK(plan(volume, {}) == Step{Nothing{}});
  CHECK(finalizer_of(Group::kLegacy) == "topolvm.cybozu.com/logicalvolume");
}

TEST_CASE("an object that is not held goes by itself [R-PLAN-2]", "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.held = false;
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("a removal is recorded, done, then let go [R-PLAN-3, R-PLAN-4, R-REC-3]",
          "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.removal_begun = false;
  CHECK(plan(volume, {}) == Step{BeginRemoval{}});
  volume.removal_begun = true;
  CHECK(plan(volume, {}) == Step{Remove{}});
  CHECK(plan(volume, {.removed = true}) == Step{Release{}});
}

TEST_CASE("a volume made just before a crash is removed too [R-DELETE-1]", "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.status = {};
  CHECK(plan(volume, {}) == Step{Remove{}});
}

TEST_CASE("a wrong spec does not keep a volume from being removed", "[reconciler][plan]") {
  LogicalVolume volume = removed_object();
  volume.spec.size = "-1Gi";
  CHECK(plan(volume, {}) == Step{Remove{}});
}

TEST_CASE("an object whose volumeID is another object's is not acted on", "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(finished_object(), removed_object());
  volume.status.volume_id = "uid-of-another";
  const VolumeStatus status = status_of(plan(volume, {}));
  CHECK(status.code == 9);
  CHECK(status.message.contains("uid-of-another"));
  CHECK(status.volume_id == "uid-of-another");
  volume.status = status;
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("a wrong size is refused before anything is touched [R-PLAN-5, R-QTY-3]",
          "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(new_object(), marked_object(), finished_object());
  volume.spec.size = "-1Gi";
  const VolumeStatus before = volume.status;
  const VolumeStatus status = status_of(plan(volume, {}));
  CHECK(status.code == 3);
  CHECK(status.message.contains("spec.size \"-1Gi\""));
  CHECK(status.volume_id == before.volume_id);
  CHECK(status.current_size == before.current_size);
  volume.status = status;
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("a defect that the store found is told and nothing else is done [R-FAIL-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.defect = make_error(Code::kInvalidArgument, "two documents");
  CHECK(status_of(plan(volume, {})).message == "two documents");
}

TEST_CASE("a source is not supported yet, and nothing is created [R-PLAN-6, R-SRC-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = GENERATE(new_object(), marked_object());
  volume.spec.source = "origin";
  const VolumeStatus status = status_of(plan(volume, {}));
  CHECK(status.code == 12);
  CHECK(status.message.contains("\"origin\""));
  volume.status = status;
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("an object with a source that has its volume is grown as any other [R-SRC-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.source = "origin";
  volume.spec.size = "2Gi";
  CHECK(plan(volume, {}) == Step{Resize{{2 * kGi.value}}});
}

TEST_CASE(
    "a volume is looked for, its object marked, and only then it is created "
    "[R-PLAN-7, R-PLAN-8, R-CREATE-1, R-CREATE-2]",
    "[reconciler][plan]") {
  CHECK(plan(new_object(), {}) == Step{LookUp{}});
  CHECK(plan(new_object(), {.looked_up = true}) == Step{Mark{}});
  CHECK(plan(new_object(), {.looked_up = true, .size = kGi}) == Step{Mark{}});
  CHECK(plan(marked_object(), {.looked_up = true}) == Step{Create{kGi}});
}

TEST_CASE("an object that has its volume and lost its finalizer is marked again [R-PLAN-7]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.marked = false;
  CHECK(plan(volume, {}) == Step{Mark{}});
}

TEST_CASE("a directory's object gets its record after its class was found [R-REC-2]",
          "[reconciler][plan]") {
  LogicalVolume volume = new_object();
  volume.uid.clear();
  volume.marked = true;
  CHECK(plan(volume, {}) == Step{LookUp{}});
  CHECK(plan(volume, {.looked_up = true}) == Step{Mark{}});
  volume.uid = "uid-1";
  volume.held = true;
  CHECK(plan(volume, {.looked_up = true}) == Step{Create{kGi}});
}

TEST_CASE("the size is rounded up before lvmd sees it [R-QTY-2]", "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.spec.size = "4097";
  CHECK(plan(volume, {.looked_up = true}) == Step{Create{{8192}}});
}

TEST_CASE("a volume that is there, found or made, goes into the status at once [R-CREATE-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.status.code = 13;
  volume.status.message = "from before";
  const VolumeStatus status =
      status_of(plan(volume, {.looked_up = true, .size = Bytes{kGi.value + 4194304}}));
  CHECK(status == VolumeStatus{.volume_id = "uid-1", .current_size = Bytes{kGi.value + 4194304}});
}

TEST_CASE("an object that failed before is tried again, whoever wrote the code [R-CREATE-6]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.status.code = static_cast<std::uint32_t>(GENERATE(8, 13, 14, 99));
  volume.status.message = "no space";
  CHECK(plan(volume, {}) == Step{LookUp{}});
}

TEST_CASE("a volume smaller than wanted, or of unknown size, is grown [R-PLAN-9, R-GROW-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.size = "2Gi";
  volume.status.current_size = GENERATE(std::optional<Bytes>{}, std::optional<Bytes>{kGi});
  CHECK(plan(volume, {}) == Step{Resize{{2 * kGi.value}}});
  const VolumeStatus status = status_of(plan(volume, {.size = Bytes{2 * kGi.value}}));
  CHECK(status.current_size == Bytes{2 * kGi.value});
}

TEST_CASE("a found volume that is smaller than wanted is adopted, then grown",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.spec.size = "2Gi";
  const Observed observed{.looked_up = true, .size = kGi};
  volume.status = status_of(plan(volume, observed));
  CHECK(volume.status.current_size == kGi);
  CHECK(plan(volume, observed) == Step{Resize{{2 * kGi.value}}});
}

TEST_CASE("volumes never shrink [R-GROW-4]", "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.spec.size = "512Mi";
  CHECK(plan(volume, {}) == Step{Nothing{}});
}

TEST_CASE("what was made is never made again, even when the status was lost [R-RUN-4]",
          "[reconciler][plan]") {
  LogicalVolume volume = marked_object();
  volume.created = true;
  CHECK(plan(volume, {}) == Step{Resize{kGi}});
  CHECK(status_of(plan(volume, {.size = kGi})) == finished_object().status);
}

TEST_CASE("an error does not outlive its cause [R-PLAN-10, R-FAIL-6]", "[reconciler][plan]") {
  LogicalVolume volume = finished_object();
  volume.status.code = 8;
  volume.status.message = "no space";
  CHECK(status_of(plan(volume, {})) == finished_object().status);
}

TEST_CASE("with everything as wished nothing is done [R-PLAN-11, R-RUN-3]", "[reconciler][plan]") {
  CHECK(plan(finished_object(), {}) == Step{Nothing{}});
  CHECK(plan(finished_object(), {.size = kGi}) == Step{Nothing{}});
}

TEST_CASE("a transient error keeps the code and says what is waited for [R-FAIL-1]",
          "[reconciler][plan]") {
  const Code code = GENERATE(Code::kUnavailable, Code::kAborted, Code::kDeadlineExceeded,
                             Code::kCancelled, Code::kUnknown);
  VolumeStatus before = finished_object().status;
  before.code = 8;
  const VolumeStatus status = failed_status(before, make_error(code, "VG vg0 is locked"));
  CHECK(status.code == 8);
  CHECK(status.message.contains(to_string(code)));
  CHECK(status.message.contains("VG vg0 is locked"));
  CHECK(status.volume_id == before.volume_id);
}

TEST_CASE("any other error is lvmd's, word for word [R-FAIL-2]", "[reconciler][plan]") {
  const auto [code, number] = GENERATE(table<Code, std::uint32_t>({
      {Code::kInvalidArgument, 3},
      {Code::kNotFound, 5},
      {Code::kResourceExhausted, 8},
      {Code::kFailedPrecondition, 9},
      {Code::kInternal, 13},
  }));
  const VolumeStatus status =
      failed_status(finished_object().status, make_error(code, "no space left: free=0"));
  CHECK(status == VolumeStatus{.volume_id = "uid-1",
                               .code = number,
                               .message = "no space left: free=0",
                               .current_size = kGi});
}
