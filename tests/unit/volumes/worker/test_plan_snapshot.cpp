#include <catch2/catch.hpp>

#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::plan_snapshot;
using lvmd::volumes::worker::SnapshotRequest;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

using Lines = std::vector<std::string>;

SnapshotRequest sample_request() {
  return {.name = "snap",
          .device_class = "thin",
          .source = "thin1",
          .access_type = "ro",
          .tags = {},
          .size = {0}};
}

auto plan(const SnapshotRequest& request, const model::VolumeGroup& group = sample_group()) {
  return plan_snapshot(group, classes_of_vg0(), request);
}

constexpr const char* kTags =
    "--addtag=lvmd.v1:class=thin --addtag=lvmd.v1:size=41943040 --addtag=lvmd.v1:src=thin1 ";

}  // namespace

TEST_CASE("one command creates a snapshot and makes it read-only [P-SNAP-8, P-SNAP-9]",
          "[worker]") {
  const auto planned = plan(sample_request());
  REQUIRE(planned);
  CHECK(lines(*planned) == Lines{std::string{"lvcreate -y -s -k n -a y -p r -n snap "} + kTags +
                                 "--addtag=lvmd.v1:access=ro vg0/thin1"});
  CHECK(planned->intent.kind == lvmd::volumes::worker::Intent::Kind::kSnapshot);
  CHECK(planned->intent.lv_id.empty());
}

TEST_CASE("a snapshot can be writable, and larger than its source [P-SNAP-10]", "[worker]") {
  auto request = sample_request();
  request.access_type = "rw";
  CHECK(lines(*plan(request)) == Lines{std::string{"lvcreate -y -s -k n -a y -n snap "} + kTags +
                                       "--addtag=lvmd.v1:access=rw vg0/thin1"});
  request.size = {11 * kExtent - 1};
  const auto larger = lines(*plan(request));
  REQUIRE(larger.size() == 2);
  CHECK(larger[1] == "lvresize -y -l 11 vg0/snap");
}

TEST_CASE("each invalid snapshot request has its code", "[worker]") {
  auto request = sample_request();
  Code code = Code::kOk;
  SECTION("of a thick class, before any argument [P-SNAP-1]") {
    request.device_class = "ssd";
    request.name = "";
    code = Code::kUnimplemented;
  }
  SECTION("with another access type [P-SNAP-2]") {
    request.access_type = GENERATE("", "RO", "r", "readonly");
    code = Code::kInvalidArgument;
  }
  SECTION("of a source that is missing or hidden [P-SNAP-3]") {
    request.source = GENERATE("nowhere", "lvol0_pmspare");
    code = Code::kNotFound;
  }
  SECTION("of a source that isn't thin [P-SNAP-4]") {
    request.source = GENERATE("plain", "pool0");
    code = Code::kUnimplemented;
  }
  SECTION("smaller than its source [P-SNAP-6]") {
    request.size = {10 * kExtent - 1};
    code = Code::kOutOfRange;
  }
  SECTION("larger than the provisionable space of the pool [P-SNAP-7]") {
    request.size = {91 * kExtent};
    code = Code::kResourceExhausted;
  }
  const auto refused = plan(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == code);
}

TEST_CASE("a source in another pool is refused with the names of both pools [P-SNAP-5]",
          "[worker]") {
  auto other = volume("other", model::LvRole::kThin, 1);
  other.pool = "pool9";
  auto request = sample_request();
  request.source = "other";
  const auto refused = plan(request, with(sample_group(), other));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().message ==
        "source_volume other is in pool pool9, device class thin uses pool pool0");
}

TEST_CASE(
    "a repeated request returns the snapshot, even if its source was removed [P-IDEM-1, P-IDEM-5]",
    "[worker]") {
  auto snap = volume("snap", model::LvRole::kThin, 10);
  snap.origin = "thin1";
  snap.writable = false;
  snap.tags = {"lvmd.v1:class=thin", "lvmd.v1:size=41943040", "lvmd.v1:src=thin1",
               "lvmd.v1:access=ro"};
  auto group = with(sample_group(), snap);
  CHECK(plan(sample_request(), group)->commands.empty());
  std::erase_if(group.logical_volumes, [](const auto& lv) { return lv.name == "thin1"; });
  CHECK(plan(sample_request(), group)->commands.empty());
  auto writable = sample_request();
  writable.access_type = "rw";
  const auto refused = plan(writable, group);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("differs in access_type:"));
}
