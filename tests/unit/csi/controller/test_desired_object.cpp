#include <catch2/catch.hpp>
#include <string>

#include "csi/controller/desired_object.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;
using reconciler::LogicalVolume;
using reconciler::VolumeSpec;

namespace {

VolumeRequest sample_request(const std::string& name = "pvc-1") {
  return {.key = {.name = name}, .parameters = {.device_class = "ssd"}};
}

// What differs; empty: nothing.
std::string difference(const Status& same) {
  if (same) return "";
  CHECK(same.error().code == Code::kAlreadyExists);
  return same.error().message;
}

}  // namespace

TEST_CASE("an object has the name of its volume in lower case [C-OBJ-2]", "[csi][controller]") {
  CHECK(object_name("pvc-1", "name") == "pvc-1");
  CHECK(object_name("Sanity-A.B", "name") == "sanity-a.b");
  CHECK(object_name(std::string(128, 'a'), "name")->size() == 128);
  for (const char* const wrong : {"", "a b", "a/b", "-a", "a_b", "../x", "ä"}) {
    const auto refused = object_name(wrong, "name");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
    CHECK(refused.error().message.starts_with("name"));
  }
}

TEST_CASE("the object of a new volume has node, size and classes of the request [C-OBJ-4]",
          "[csi][controller]") {
  VolumeRequest request = sample_request();
  request.parameters.lvcreate_option_class = "fast";
  const NewObject object = desired_volume(request, "n2", Bytes{2 * kGi});
  CHECK(object.key.name == "pvc-1");
  CHECK(object.spec == VolumeSpec{.name = "pvc-1",
                                  .node_name = "n2",
                                  .size = "2Gi",
                                  .device_class = "ssd",
                                  .lvcreate_option_class = "fast"});
  CHECK(object.annotations.empty());
}

TEST_CASE("a clone is a writable snapshot of its source, in the class of the source [C-OBJ-5]",
          "[csi][controller]") {
  VolumeRequest request = sample_request("clone");
  request.source = sample_snapshot();
  request.parameters.device_class.clear();
  CHECK(check_source(request));
  CHECK(size_for(request) == Bytes{kGi});
  CHECK_FALSE(is_free_to_place(request));
  const NewObject object = desired_volume(request, "n1", Bytes{kGi});
  CHECK(object.spec.source == "snapshot-1");
  CHECK(object.spec.access_type == "rw");
  CHECK(object.spec.device_class == "ssd");
}

TEST_CASE("a clone cannot be in another class than its source [C-OBJ-5]", "[csi][controller]") {
  VolumeRequest request = sample_request("clone");
  request.source = sample_volume();
  CHECK(check_source(request));
  request.parameters.device_class = "hdd";
  CHECK(check_source(request).error().code == Code::kInvalidArgument);
  // TopoLVM's objects need not name the class, and it may be the default class.
  request.source->spec.device_class.clear();
  CHECK(check_source(request));
}

TEST_CASE("a volume that is filled from a repository can be in any class, on any node [C-PLACE-5]",
          "[csi][controller]") {
  VolumeRequest request = sample_request("restored");
  request.source = stored_snapshot();
  request.parameters.device_class = "hdd";
  CHECK(is_free_to_place(request));
  CHECK(check_source(request));
  CHECK(desired_volume(request, "n9", Bytes{kGi}).spec.device_class == "hdd");
  request.source->status.snapshot->phase = reconciler::SnapshotPhase::kRunning;
  CHECK_FALSE(is_free_to_place(request));
  CHECK_FALSE(check_source(request));
}

TEST_CASE(
    "a snapshot's object is read-only, on its source's node, and records its source "
    "[C-SNAP-1]",
    "[csi][controller]") {
  SnapshotRequest request{.key = {.name = "snapshot-1"}, .source = sample_volume()};
  const NewObject object = desired_snapshot(request);
  CHECK(object.spec == VolumeSpec{.name = "snapshot-1",
                                  .node_name = "n1",
                                  .size = "1Gi",
                                  .device_class = "ssd",
                                  .source = "pvc-1",
                                  .access_type = "ro"});
  CHECK(object.annotations == reconciler::StringMap{{"lvmd.io/source-volume", "uid-of-pvc-1"}});
  request.is_online = true;
  CHECK(desired_snapshot(request).annotations.at("lvmd.io/snapshot-mode") == "online");
}

TEST_CASE("a request for an existing object is the same if nothing differs [C-SAME-1]",
          "[csi][controller]") {
  VolumeRequest request = sample_request();
  request.range = {.required = kGi, .limit = kGi};
  request.permitted = {"n2", "n1"};
  CHECK(difference(check_same(sample_volume(), request)).empty());
  request.parameters.device_class.clear();
  CHECK(difference(check_same(sample_volume(), request)).empty());
  // The volume has grown since.
  request.range.limit = 0;
  LogicalVolume grown = sample_volume();
  grown.status.current_size = Bytes{5 * kGi};
  CHECK(difference(check_same(grown, request)).empty());
}

TEST_CASE("a request that differs from the existing object is refused [C-SAME-1]",
          "[csi][controller]") {
  const LogicalVolume existing = sample_volume();
  VolumeRequest request = sample_request();
  CHECK(difference(check_same(sample_snapshot("pvc-1"), request)).contains("is a snapshot"));
  request.source = sample_snapshot();
  CHECK(difference(check_same(existing, request)).contains("source is \"\", not \"snapshot-1\""));
  request = sample_request();
  request.parameters.device_class = "hdd";
  CHECK(difference(check_same(existing, request)).contains("device class is ssd, not hdd"));
  request = sample_request();
  request.parameters.lvcreate_option_class = "fast";
  CHECK(difference(check_same(existing, request)).contains("option class"));
  request = sample_request();
  request.range = {.required = 2 * kGi};
  CHECK(difference(check_same(existing, request)).contains("size 1073741824"));
  request.range = {.limit = kGi / 2};
  CHECK(difference(check_same(existing, request)).contains("size 1073741824"));
  request = sample_request();
  request.permitted = {"n2"};
  CHECK(difference(check_same(existing, request)).contains("on node n1"));
}

TEST_CASE("a snapshot with the same name must have the same source [C-SAME-2]",
          "[csi][controller]") {
  const SnapshotRequest request{.key = {.name = "snapshot-1"}, .source = sample_volume()};
  CHECK(difference(check_same(sample_snapshot(), request)).empty());
  CHECK(difference(check_same(sample_volume("snapshot-1"), request)).contains("is a volume"));
  CHECK(difference(check_same(sample_snapshot("snapshot-1", "pvc-2"), request))
            .contains("source is pvc-2, not pvc-1"));
}
