#include <catch2/catch.hpp>

#include "csi/controller/progress.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;
using reconciler::LogicalVolume;
using reconciler::make_condition;

namespace {

// An object without a volume.
LogicalVolume requested() {
  LogicalVolume object = sample_volume();
  object.status = {};
  return object;
}

LogicalVolume failed(LogicalVolume object, Code code, const char* reason) {
  object.status.code = static_cast<std::uint32_t>(code);
  object.status.message = "it did not work";
  object.status.observed_generation = object.generation;
  reconciler::set_condition(object.status.conditions,
                            make_condition("Ready", "False", reason, "it did not work"));
  return object;
}

// "pending", "OK" or the name of the code.
std::string text_of(const Verdict& verdict) {
  if (!verdict) return "pending";
  return *verdict ? "OK" : std::string{to_string(verdict->error().code)};
}

std::string creation(const LogicalVolume& object) { return text_of(creation_of(object)); }

}  // namespace

TEST_CASE("a volume is created once its object has volumeID [C-WAIT-1]", "[csi][controller]") {
  CHECK(creation(requested()) == "pending");
  CHECK(creation(sample_volume()) == "OK");
  const LogicalVolume later_failure =
      failed(sample_volume(), Code::kResourceExhausted, "NotEnoughSpace");
  CHECK(creation(later_failure) == "OK");
}

TEST_CASE("a creation has failed once the status has a code [C-WAIT-3]", "[csi][controller]") {
  LogicalVolume object = failed(requested(), Code::kResourceExhausted, "NotEnoughSpace");
  CHECK(creation(object) == "RESOURCE_EXHAUSTED");
  CHECK(creation_of(object)->error().message == "LogicalVolume pvc-1 on node n1: it did not work");
  CHECK(creation(failed(requested(), Code::kInvalidArgument, "Any")) == "INVALID_ARGUMENT");
  CHECK(creation(failed(requested(), Code::kUnimplemented, "ThickSnapshot")) ==
        "FAILED_PRECONDITION");
  object.status.code = 99;
  CHECK(creation(object) == "INTERNAL");
  // TopoLVM's node controller writes no generation.
  object.status.observed_generation = 0;
  CHECK(creation(object) == "INTERNAL");
}

TEST_CASE("a class that the node does not have is no space there [C-WAIT-3]", "[csi][controller]") {
  LogicalVolume object = failed(requested(), Code::kNotFound, "UnknownDeviceClass");
  CHECK(creation(object) == "RESOURCE_EXHAUSTED");
  object.spec.source = "snapshot-1";
  CHECK(creation(object) == "RESOURCE_EXHAUSTED");
  CHECK(creation(failed(object, Code::kNotFound, "NoSourceObject")) == "NOT_FOUND");
}

TEST_CASE("a status of an earlier generation is no failure of this request [C-WAIT-4]",
          "[csi][controller]") {
  LogicalVolume object = failed(requested(), Code::kInternal, "LvmFailed");
  object.generation = 2;
  CHECK(creation(object) == "pending");
}

TEST_CASE("a volume has grown once currentSize reaches the request [C-WAIT-1]",
          "[csi][controller]") {
  const LogicalVolume before = sample_volume();
  CHECK(text_of(growth_of(before, Bytes{kGi}, before)) == "OK");
  CHECK(text_of(growth_of(before, Bytes{kGi + 1}, before)) == "pending");
  LogicalVolume unknown = before;
  unknown.status.current_size.reset();
  CHECK(text_of(growth_of(unknown, Bytes{kGi}, before)) == "pending");
}

TEST_CASE("the failure of an earlier growth or removal does not count [C-WAIT-4]",
          "[csi][controller]") {
  const LogicalVolume before = failed(sample_volume(), Code::kResourceExhausted, "NotEnoughSpace");
  const Bytes size{2 * kGi};
  CHECK(text_of(growth_of(before, size, before)) == "pending");
  CHECK(text_of(removal_of(before, before)) == "pending");
  LogicalVolume again = before;
  again.status.message = "still too large";
  CHECK(text_of(growth_of(again, size, before)) == "OUT_OF_RANGE");
  again = before;
  again.status.conditions[0].last_transition_time = "2026-02-01T00:00:00Z";
  CHECK(text_of(growth_of(again, size, before)) == "OUT_OF_RANGE");
  again.generation = 2;
  CHECK(text_of(growth_of(again, size, before)) == "pending");
  const LogicalVolume in_use = failed(sample_volume(), Code::kFailedPrecondition, "VolumeInUse");
  CHECK(text_of(removal_of(in_use, before)) == "FAILED_PRECONDITION");
}

TEST_CASE("a request that waits reports the condition that is not True [C-WAIT-2]",
          "[csi][controller]") {
  LogicalVolume object = requested();
  CHECK(waits_for(object) == "the reconciler of node n1 has reported nothing");
  object.status.conditions = {make_condition("Other", "False", "Unrelated", "not ours"),
                              make_condition("Ready", "False", "Unavailable", "vg0 is missing")};
  CHECK(waits_for(object) == "Ready is False (Unavailable): vg0 is missing");
}
