#include <catch2/catch.hpp>

#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::CreateRequest;
using lvmd::volumes::worker::Intent;
using lvmd::volumes::worker::plan_create;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

using Lines = std::vector<std::string>;

CreateRequest request_for(std::string device_class, std::uint64_t size) {
  return {.name = "new",
          .device_class = std::move(device_class),
          .option_class = {},
          .tags = {},
          .size = {size}};
}

auto plan(const CreateRequest& request, const model::VolumeGroup& group = sample_group()) {
  return plan_create(group, classes_of_vg0(), request);
}

// The volume as LVM would show it after its creation.
model::LogicalVolume made(const std::string& device_class, std::uint64_t extents) {
  auto lv = volume("new", model::LvRole::kPlain, extents);
  lv.tags = {"lvmd.v1:class=" + device_class, "lvmd.v1:size=" + std::to_string(extents * kExtent),
             "owner=me"};
  return lv;
}

}  // namespace

TEST_CASE("a thick volume is rounded up to extents and tagged [P-CREATE-1, P-SIZE-4, P-TAG-2]",
          "[worker]") {
  auto request = request_for("ssd", kExtent + 4096);
  request.tags = {"owner=me", "owner=me"};
  const auto planned = plan(request);
  REQUIRE(planned);
  CHECK(lines(*planned) == Lines{"lvcreate -y -W n -Z n -n new -l 2 --addtag=lvmd.v1:class=ssd "
                                 "--addtag=lvmd.v1:size=8388608 --addtag=owner=me vg0"});
  CHECK_FALSE(planned->commands.front().waits_for_udev());
  CHECK(planned->intent == Intent{.kind = Intent::Kind::kCreate,
                                  .volume = "new",
                                  .vg_id = sample_group().id,
                                  .seqno = sample_group().seqno,
                                  .lv_id = "",
                                  .ownership = {.device_class = "ssd",
                                                .size = {2 * kExtent},
                                                .option_class = {},
                                                .source = {},
                                                .access_type = {}}});
}

TEST_CASE(
    "a volume is created with its marks, which are not compared [P-TAG-8, P-OWNER-2, P-XFER-25, "
    "P-IDEM-3]",
    "[worker]") {
  auto request = request_for("ssd", 2 * kExtent);
  request.marks = {"lvmd.v1:owner=kube/1", "lvmd.v1:restore=tuesday"};
  const auto planned = plan(request);
  REQUIRE(planned);
  CHECK(lines(*planned) == Lines{"lvcreate -y -W n -Z n -n new -l 2 --addtag=lvmd.v1:class=ssd "
                                 "--addtag=lvmd.v1:size=8388608 --addtag=lvmd.v1:owner=kube/1 "
                                 "--addtag=lvmd.v1:restore=tuesday vg0"});
  auto existing = made("ssd", 2);
  existing.tags = {"lvmd.v1:class=ssd", "lvmd.v1:size=8388608", "lvmd.v1:owner=kube/2"};
  const auto repeated = plan(request, with(sample_group(), existing));
  REQUIRE(repeated);
  CHECK(repeated->commands.empty());
  request.marks = {"lvmd.v1:owner=two words"};
  REQUIRE_FALSE(plan(request));
  CHECK(plan(request).error().code == Code::kInvalidArgument);
}

TEST_CASE("a striped volume is rounded up to whole stripes [P-CREATE-3, P-SIZE-4]", "[worker]") {
  const auto planned = plan(request_for("striped", 3 * kExtent));
  REQUIRE(planned);
  CHECK(lines(*planned) ==
        Lines{"lvcreate -y -W n -Z n -n new -l 4 --addtag=lvmd.v1:class=striped --addtag="
              "lvmd.v1:size=16777216 -i 2 -I 64k vg0"});
}

TEST_CASE("an option class replaces the class's own layout [P-CREATE-4]", "[worker]") {
  auto request = request_for("striped", 3 * kExtent);
  request.option_class = "fast";
  const auto planned = plan(request);
  REQUIRE(planned);
  CHECK(lines(*planned) ==
        Lines{"lvcreate -y -W y -n new -l 3 --addtag=lvmd.v1:class=striped --addtag="
              "lvmd.v1:size=12582912 --addtag=lvmd.v1:opt=fast --readahead=auto vg0"});
  CHECK(planned->commands.front().waits_for_udev());
}

TEST_CASE("a thin volume is created in the pool of its class [P-CREATE-2]", "[worker]") {
  const auto planned = plan(request_for("thin", 1));
  REQUIRE(planned);
  CHECK(lines(*planned) ==
        Lines{"lvcreate -y -W y -n new -V 4194304b --addtag=lvmd.v1:class=thin --addtag="
              "lvmd.v1:size=4194304 --thinpool vg0/pool0"});
}

TEST_CASE("LVM does not wait for udev in commands in which it opens no device by a link",
          "[worker]") {
  // No volume of the sample's pool is active, so LVM must activate the pool and open its parts.
  CHECK(plan(request_for("thin", 1))->commands.front().waits_for_udev());
  auto group = sample_group();
  std::ranges::find(group.logical_volumes, "thin1", &model::LogicalVolume::name)->device =
      model::DeviceState{};
  const auto active = plan(request_for("thin", 1), group);
  REQUIRE(active);
  CHECK_FALSE(active->commands.front().waits_for_udev());
  CHECK(lines(*active).front().starts_with("lvcreate -y -W n -n new -V 4194304b"));
  CHECK_FALSE(plan(request_for("striped", kExtent))->commands.front().waits_for_udev());
  CHECK(plan(request_for("optioned", kExtent))->commands.front().waits_for_udev());
}

TEST_CASE("the available space can be used to the last extent, and no more [P-CREATE-5, P-AVAIL-6]",
          "[worker]") {
  struct Row {
    const char* device_class;
    std::uint64_t extents;
  };
  // ssd: 2 × 100 free; spared: 190 less; thin: 2 × 50 with overprovisioning, minus 10 in use;
  // optioned: RAID 1, with an extent of metadata per image.
  const auto row = GENERATE(Row{"ssd", 200}, Row{"striped", 200}, Row{"spared", 10},
                            Row{"thin", 90}, Row{"optioned", 99});
  CHECK(plan(request_for(row.device_class, row.extents * kExtent)));
  const auto refused = plan(request_for(row.device_class, row.extents * kExtent + 4096));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK_THAT(refused.error().message,
             Catch::Contains("free=" + std::to_string(row.extents * kExtent)));
}

TEST_CASE("a plan for a layout that lvmd does not compute has the smallest command [P-CREATE-6]",
          "[worker]") {
  const auto planned = plan(request_for("optioned", 50 * kExtent));
  REQUIRE(planned);
  REQUIRE(planned->smallest);
  CHECK_THAT(planned->smallest->line().value(), Catch::Contains("--test -n new -l 1 "));
  CHECK_FALSE(plan(request_for("ssd", kExtent))->smallest);
}

TEST_CASE(
    "stripes in a class's configured arguments determine the rounding and the tag [P-AVAIL-20, "
    "P-SIZE-4]",
    "[worker]") {
  auto catalog = classes_of_vg0();
  catalog.device_classes[4].lvcreate_options = {"--stripes=2", "/dev/vdb", "/dev/vdc"};
  const auto planned = plan_create(sample_group(), catalog, request_for("optioned", 3 * kExtent));
  REQUIRE(planned);
  CHECK(lines(*planned) ==
        Lines{"lvcreate -y -W y -n new -l 4 --addtag=lvmd.v1:class=optioned --addtag="
              "lvmd.v1:size=16777216 --stripes=2 vg0 /dev/vdb /dev/vdc"});
}

TEST_CASE(
    "with tags in a class's configured arguments, a repeated request is still identical [P-IDEM-3]",
    "[worker]") {
  auto catalog = classes_of_vg0();
  catalog.device_classes[4].lvcreate_options = {"--addtag", "site=a"};
  auto request = request_for("optioned", 2 * kExtent);
  request.tags = {"owner=me"};
  auto existing = made("optioned", 2);
  const bool was_configured_then = GENERATE(true, false);
  if (was_configured_then) existing.tags.emplace_back("site=a");
  const auto planned = plan_create(with(sample_group(), existing), catalog, request);
  REQUIRE(planned);
  CHECK(planned->commands.empty());
}

TEST_CASE("no volume is created in a group that misses a PV [P-STATE-5]", "[worker]") {
  auto group = sample_group();
  group.physical_volumes[1].missing = true;
  const auto refused = plan(request_for(GENERATE("ssd", "thin"), kExtent), group);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
  CHECK_THAT(refused.error().message, Catch::Contains("lacks the PVs /dev/vdc"));
}

TEST_CASE("a thin volume is refused above the high-water mark of its pool [P-THIN-1]", "[worker]") {
  auto catalog = classes_of_vg0();
  catalog.device_classes[3].thin_pool->data_high_water_percent = 80;
  auto group = sample_group();
  group.logical_volumes[2].usage = model::PoolUsage{.data_percent = 81, .metadata_percent = 1};
  const auto refused = plan_create(group, catalog, request_for("thin", kExtent));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK_THAT(refused.error().message, Catch::Contains("vg0/pool0 has a data usage of 81.00 %"));
}

TEST_CASE("an identical volume is returned even if no space is left [P-IDEM-1]", "[worker]") {
  auto group = with(sample_group(), made("ssd", 2));
  for (model::PhysicalVolume& pv : group.physical_volumes) pv.free = {0};
  auto request = request_for("ssd", 2 * kExtent - 4096);
  request.tags = {"owner=me"};
  const auto planned = plan(request, group);
  REQUIRE(planned);
  CHECK(planned->commands.empty());
}

TEST_CASE("a volume that has grown since its creation is still identical [P-IDEM-3]", "[worker]") {
  auto grown = made("ssd", 2);
  grown.size = {5 * kExtent};
  auto request = request_for("ssd", GENERATE(2U, 5U) * kExtent);
  request.tags = {"owner=me"};
  const auto planned = plan(request, with(sample_group(), grown));
  REQUIRE(planned);
  CHECK(planned->commands.empty());
}

TEST_CASE("the error for a volume that differs names the field [P-IDEM-2]", "[worker]") {
  auto request = request_for("ssd", 2 * kExtent);
  request.tags = {"owner=me"};
  std::string field;
  SECTION("class") {
    request.device_class = "striped";
    field = "device_class";
  }
  SECTION("option class") {
    request.option_class = "fast";
    field = "lvcreate_option_class";
  }
  SECTION("tags") {
    request.tags = {"owner=you"};
    field = "tags";
  }
  SECTION("size") {
    request.size = {3 * kExtent};
    field = "size_bytes";
  }
  const auto refused = plan(request, with(sample_group(), made("ssd", 2)));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kAlreadyExists);
  CHECK_THAT(refused.error().message, Catch::Contains("differs in " + field + ":"));
}

TEST_CASE("an untagged volume is compared by its LVM attributes [P-IDEM-4]", "[worker]") {
  auto request = request_for("ssd", 4 * kExtent);
  request.name = "plain";
  request.tags = {"not=compared"};
  CHECK(plan(request)->commands.empty());
  request.size = {5 * kExtent};
  CHECK(plan(request).error().code == Code::kAlreadyExists);
  auto read_only = sample_group();
  read_only.logical_volumes[1].writable = false;
  request.size = {4 * kExtent};
  CHECK(plan(request, read_only).error().code == Code::kAlreadyExists);
}

TEST_CASE("the name of a pool or an internal volume is taken [P-IDEM-6]", "[worker]") {
  auto request = request_for("ssd", kExtent);
  request.name = "pool0";
  const auto refused = plan(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kAlreadyExists);
  CHECK(refused.error().message ==
        "the name pool0 is taken by a thin pool, which is not a volume of device class ssd");
}

TEST_CASE("invalid requests are refused", "[worker]") {
  auto request = request_for("ssd", kExtent);
  Code code = Code::kInvalidArgument;
  SECTION("a class that a reload removed [P-RELOAD-1]") {
    request.device_class = "gold";
    code = Code::kUnavailable;
  }
  SECTION("a class of another group") {
    request.device_class = "elsewhere";
    code = Code::kUnavailable;
  }
  SECTION("a name that LVM refuses [P-NAME-1]") { request.name = "a/b"; }
  SECTION("a name that LVM reserves [P-NAME-2]") { request.name = "x_tmeta"; }
  SECTION("a private tag [P-NAME-5]") { request.tags = {"lvmd.v1:class=x"}; }
  SECTION("an unknown option class [P-CLASS-6]") { request.option_class = "slow"; }
  SECTION("no size [P-SIZE-2]") { request.size = {0}; }
  SECTION("a size that is no multiple of 4096 [P-SIZE-3]") { request.size = {kExtent + 1}; }
  SECTION("too many tags [P-NAME-6]") {
    for (int i = 0; i < 60; ++i) request.tags.push_back("t" + std::to_string(i));
  }
  const auto refused = plan(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == code);
}

TEST_CASE("a thin class without its pool is unavailable [P-STATE-2]", "[worker]") {
  auto group = sample_group();
  std::erase_if(group.logical_volumes, [](const auto& lv) { return lv.name == "pool0"; });
  const auto refused = plan(request_for("thin", kExtent), group);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
  CHECK(refused.error().message == "thin pool vg0/pool0 does not exist");
}

TEST_CASE(
    "a request is refused before LVM runs if its text does not fit into the metadata area "
    "[P-CREATE-10]",
    "[worker]") {
  auto group = sample_group();
  group.copies = {.longest_text = {30'000}, .free = {1'000}};
  const CreateRequest request{
      .name = "new", .device_class = "ssd", .tags = {std::string(900, 't')}, .size = {kExtent}};
  const auto refused = plan_create(group, classes_of_vg0(), request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK(refused.error().reason == "METADATA_AREA_FULL");
  group.copies.free = {1'200};
  CHECK(plan_create(group, classes_of_vg0(), request));
}

TEST_CASE("a pool that accepts no changes refuses all changes, removals included [P-POOL-1]",
          "[worker]") {
  auto group = sample_group();
  for (model::LogicalVolume& lv : group.logical_volumes)
    if (lv.name == "pool0")
      lv.pool_condition = model::PoolCondition{.kernel = model::PoolHealth::kNeedsCheck};
  const auto catalog = classes_of_vg0();
  const auto refused = [](const auto& plan) {
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == Code::kUnavailable);
    CHECK(plan.error().reason == "POOL_UNAVAILABLE");
  };
  refused(plan_create(group, catalog, {.name = "new", .device_class = "thin", .size = {kExtent}}));
  refused(lvmd::volumes::worker::plan_snapshot(
      group, catalog,
      {.name = "new", .device_class = "thin", .source = "thin1", .access_type = "ro"}));
  refused(lvmd::volumes::worker::plan_resize(
      group, catalog, {.name = "thin1", .device_class = "thin", .size = {20 * kExtent}}));
  refused(lvmd::volumes::worker::plan_remove(group, catalog,
                                             {.name = "thin1", .device_class = "thin"}));
  CHECK(plan_create(group, catalog, {.name = "new", .device_class = "ssd", .size = {kExtent}}));
}
