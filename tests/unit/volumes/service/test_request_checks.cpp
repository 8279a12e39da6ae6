#include <catch2/catch.hpp>

#include "lvmd/volumes/service/request_checks.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

namespace {

proto::CreateLVRequest good_create() {
  proto::CreateLVRequest request;
  request.set_name("pvc-1");
  request.set_device_class("ssd");
  request.set_size_bytes(8192);
  return request;
}

Error error_of(const Result<CheckedChange>& checked) {
  REQUIRE_FALSE(checked);
  return checked.error();
}

}  // namespace

TEST_CASE("a valid request has the real name of the class, each tag once, and the size [P-CLASS-1]",
          "[server]") {
  proto::CreateLVRequest request = good_create();
  request.set_device_class("");
  request.add_tags("b");
  request.add_tags("a");
  request.add_tags("b");
  const auto checked = check(sample_catalog(), request);
  REQUIRE(checked);
  CHECK(checked->volume_group == "vg0");
  CHECK(checked->volume == "pvc-1");
  const internal::CreateVolume& create = checked->request.create();
  CHECK(create.device_class() == "ssd");
  CHECK(create.size_bytes() == 8192);
  REQUIRE(create.tags_size() == 2);
  CHECK(create.tags(0) == "b");
  CHECK(create.tags(1) == "a");
}

TEST_CASE("arguments are checked by ascending field number [P-ORDER-1]", "[server]") {
  proto::CreateLVRequest request = good_create();
  request.set_size_bytes(-1);
  CHECK(error_of(check(sample_catalog(), request)).message.find("size_bytes") == 0);
  request.set_lvcreate_option_class("x");
  CHECK(error_of(check(sample_catalog(), request)).message.find("lvcreate_option_class") == 0);
  request.add_tags("");
  CHECK(error_of(check(sample_catalog(), request)).message.find("tags") == 0);
  request.set_name("");
  CHECK(error_of(check(sample_catalog(), request)).message.find("name") == 0);
  request.set_device_class("x");
  CHECK(error_of(check(sample_catalog(), request)).message == "device-class not found: x");
}

TEST_CASE("without a default class, an empty class name is not found [P-CLASS-2]", "[server]") {
  model::ClassCatalog catalog = sample_catalog();
  catalog.device_classes[0].is_default = false;
  proto::CreateLVRequest request = good_create();
  request.set_device_class("");
  const Error error = error_of(check(catalog, request));
  CHECK(error.code == Code::kNotFound);
  CHECK(error.message == "device-class not found: ");
}

TEST_CASE("sizes must be multiples of 4096 in thick classes only [P-SIZE-3]", "[server]") {
  proto::CreateLVRequest request = good_create();
  request.set_size_bytes(8193);
  CHECK(error_of(check(sample_catalog(), request)).code == Code::kInvalidArgument);
  request.set_device_class("thin");
  CHECK(check(sample_catalog(), request));
}

TEST_CASE("resize and snapshot accept size 0, create does not [P-SIZE-2]", "[server]") {
  proto::CreateLVRequest create = good_create();
  create.set_size_bytes(0);
  CHECK(error_of(check(sample_catalog(), create)).code == Code::kInvalidArgument);
  proto::ResizeLVRequest resize;
  resize.set_name("pvc-1");
  CHECK(check(sample_catalog(), resize));
  proto::CreateLVSnapshotRequest snapshot;
  snapshot.set_name("snap");
  snapshot.set_device_class("thin");
  snapshot.set_source_volume("pvc-1");
  snapshot.set_access_type("ro");
  const auto checked = check(sample_catalog(), snapshot);
  REQUIRE(checked);
  CHECK(checked->request.snapshot().source() == "pvc-1");
  CHECK(checked->request.snapshot().access_type() == "ro");
}

TEST_CASE(
    "RemoveLV accepts names that other programs created, and has its own code for an unknown class "
    "[P-CLASS-2, P-NAME-2]",
    "[server]") {
  proto::RemoveLVRequest request;
  request.set_name("snapshot_by_hand");
  CHECK(check(sample_catalog(), request));
  request.set_device_class("renamed");
  CHECK(error_of(check(sample_catalog(), request)).code == Code::kFailedPrecondition);
}
