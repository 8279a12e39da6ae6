#include <catch2/catch.hpp>
#include <string>

#include "lvmd/report/report_reader.hpp"

using namespace lvmd;
using namespace lvmd::report;

namespace {

// The output of lvm fullreport for a mirror, a COW snapshot and a thin pool.
constexpr std::string_view kReport = R"({
  "report": [
    {
      "vg": [
        {"vg_uuid":"Ukn0Sw-5p2r-NL0P-jZ2c-Q8W1-aBcD-eFgHiJ", "vg_name":"vg1", "vg_seqno":"17",
         "vg_extent_size":"4194304", "vg_exported":""}
      ],
      "pv": [
        {"pv_uuid":"aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg", "pv_name":"/dev/vdb",
         "pv_pe_count":"2047", "pv_pe_alloc_count":"47", "pv_allocatable":"allocatable",
         "pv_missing":""},
        {"pv_uuid":"111111-2222-3333-4444-5555-6666-7777ab", "pv_name":"[unknown]",
         "pv_pe_count":"100", "pv_pe_alloc_count":"0", "pv_allocatable":"",
         "pv_missing":"missing"}
      ],
      "lv": [
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-raid00", "lv_name":"r1",
         "lv_size":"16777216", "lv_attr":"rwi-aor---", "lv_role":"public",
         "lv_layout":"raid,raid1", "lv_tags":"a,b/c", "pool_lv":"", "origin":"",
         "origin_size":"", "lv_parent":"", "lv_kernel_major":"253", "lv_kernel_minor":"17", "data_percent":"",
         "metadata_percent":""},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-rimag0", "lv_name":"[r1_rimage_0]",
         "lv_size":"16777216", "lv_attr":"iwi-aor---", "lv_role":"private,raid,image",
         "lv_layout":"linear", "lv_tags":"", "pool_lv":"", "origin":"", "origin_size":"", "lv_parent":"r1",
         "lv_kernel_major":"253", "lv_kernel_minor":"9", "data_percent":"",
         "metadata_percent":""},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-cow000", "lv_name":"cow",
         "lv_size":"20971520", "lv_attr":"swi-a-s---", "lv_role":"public,snapshot,thicksnapshot",
         "lv_layout":"linear", "lv_tags":"", "pool_lv":"", "origin":"r1",
         "origin_size":"16777216", "lv_parent":"", "lv_kernel_major":"253", "lv_kernel_minor":"20",
         "data_percent":"0.02", "metadata_percent":""},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-pool00", "lv_name":"pool",
         "lv_size":"419430400", "lv_attr":"twi-aotz--", "lv_role":"private",
         "lv_layout":"thin,pool", "lv_tags":"", "pool_lv":"", "origin":"", "origin_size":"", "lv_parent":"",
         "lv_kernel_major":"253", "lv_kernel_minor":"7", "data_percent":"14.77",
         "metadata_percent":"11.52"},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-thin00", "lv_name":"thin",
         "lv_size":"1073741824", "lv_attr":"Vri---tz-k",
         "lv_role":"public,snapshot,thinsnapshot", "lv_layout":"thin,sparse", "lv_tags":"",
         "pool_lv":"pool", "origin":"gone", "origin_size":"", "lv_parent":"", "lv_kernel_major":"-1",
         "lv_kernel_minor":"-1", "data_percent":"", "metadata_percent":""}
      ],
      "seg": [
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-raid00", "seg_start_pe":"0",
         "segtype":"raid1", "stripes":"2"},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-cow000", "seg_start_pe":"3",
         "segtype":"striped", "stripes":"3"},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-cow000", "seg_start_pe":"0",
         "segtype":"linear", "stripes":"1"},
        {"lv_uuid":"LLLLLL-0000-0000-0000-0000-0000-thin00", "seg_start_pe":"0",
         "segtype":"thin", "stripes":"0"}
      ],
      "pvseg": [
        {"pv_uuid":"aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg", "pvseg_start":"1050",
         "pvseg_size":"997", "lv_name":""},
        {"pv_uuid":"aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg", "pvseg_start":"3",
         "pvseg_size":"1003", "lv_name":""},
        {"pv_uuid":"aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg", "pvseg_start":"0",
         "pvseg_size":"3", "lv_name":"[r1_rimage_0]"},
        {"pv_uuid":"aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg", "pvseg_start":"1006",
         "pvseg_size":"44", "lv_name":"cow"},
        {"pv_uuid":"111111-2222-3333-4444-5555-6666-7777ab", "pvseg_start":"0",
         "pvseg_size":"100", "lv_name":""}
      ]
    }
  ]
})";

std::string report_with(std::string_view from, std::string_view to) {
  std::string text{kReport};
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the group and the physical volumes of a report are read", "[metadata]") {
  const auto group = parse_report(kReport, "vg1");
  REQUIRE(group);
  CHECK(group->id == "Ukn0Sw5p2rNL0PjZ2cQ8W1aBcDeFgHiJ");
  CHECK(group->seqno == 17);
  CHECK(group->extent_size == model::Bytes{4U << 20U});
  CHECK(group->source == model::StateSource::kReport);
  REQUIRE(group->physical_volumes.size() == 2);
  CHECK(group->physical_volumes[0].device == "/dev/vdb");
  CHECK(group->physical_volumes[0].free == model::Extents{2000});
  CHECK(group->physical_volumes[0].free_areas == std::vector<model::Extents>{{1003}, {997}});
  CHECK(group->physical_volumes[0].allocatable);
  CHECK(group->physical_volumes[1].missing);
  CHECK(group->physical_volumes[1].device.empty());
  CHECK_FALSE(group->physical_volumes[1].allocatable);
}

TEST_CASE("volumes of every layout are read from a report [E-NATIVE-2]", "[metadata]") {
  const auto group = parse_report(kReport, "vg1");
  REQUIRE(group);
  using model::LvRole;
  REQUIRE(group->logical_volumes.size() == 5);

  const model::LogicalVolume* const raid = group->find("r1");
  REQUIRE(raid != nullptr);
  CHECK(raid->role == LvRole::kPlain);
  CHECK(raid->segment_type == "raid1");
  CHECK(raid->stripes == 2);
  CHECK(raid->tags == std::vector<std::string>{"a", "b/c"});
  CHECK(raid->path == "/dev/vg1/r1");
  REQUIRE(raid->device);
  CHECK(raid->device->minor == 17);
  CHECK(raid->device->open_count == 1);

  const model::LogicalVolume* const image = group->find("r1_rimage_0");
  REQUIRE(image != nullptr);
  CHECK(image->part_of == "r1");
  CHECK(image->role == LvRole::kInternal);

  const model::LogicalVolume* const cow = group->find("cow");
  REQUIRE(cow != nullptr);
  CHECK(cow->role == LvRole::kCowSnapshot);
  CHECK(cow->size == model::Bytes{16U << 20U});
  CHECK(cow->origin == "r1");
  CHECK(cow->segment_type == "linear");
  CHECK_FALSE(cow->usage);

  const model::LogicalVolume* const pool = group->find("pool");
  REQUIRE(pool != nullptr);
  CHECK(pool->role == LvRole::kThinPool);
  CHECK(pool->usage == model::PoolUsage{14.77, 11.52});

  const model::LogicalVolume* const thin = group->find("thin");
  REQUIRE(thin != nullptr);
  CHECK(thin->role == LvRole::kThin);
  CHECK(thin->pool == "pool");
  CHECK(thin->stripes == 1);
  CHECK_FALSE(thin->writable);
  CHECK_FALSE(thin->device);
}

TEST_CASE("a group that is not in the report is unavailable", "[metadata]") {
  const auto group = parse_report(kReport, "vg2");
  REQUIRE_FALSE(group);
  CHECK(group.error() == Error{Code::kUnavailable, "volume group vg2 is not in LVM's report"});
  CHECK(parse_report(R"({"report":[]})", "vg1").error().code == Code::kUnavailable);
}

TEST_CASE("an exported group is unavailable", "[metadata]") {
  const auto group =
      parse_report(report_with(R"("vg_exported":"")", R"("vg_exported":"exported")"), "vg1");
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnavailable);
}

TEST_CASE("an error names the field with an unexpected value", "[metadata]") {
  const auto [from, to, named] = GENERATE(table<const char*, const char*, const char*>({
      {R"("vg_seqno":"17")", R"("vg_seqno":"x")", "vg_seqno \"x\""},
      {R"("vg_seqno":"17",)", "", "without vg_seqno"},
      {R"("vg_seqno":"17")", R"("vg_seqno":17)", "without vg_seqno"},
      {R"("lv_size":"16777216")", R"("lv_size":"16.00m")", "lv_size \"16.00m\""},
      {R"("lv_size":"16777216")", R"("lv_size":"-1")", "lv_size \"-1\""},
      {R"("lv_attr":"rwi-aor---")", R"("lv_attr":"rwi")", "lv_attr \"rwi\" for r1"},
      {R"("lv_kernel_minor":"17")", R"("lv_kernel_minor":"9999999999")", "lv_kernel_minor"},
      {R"("data_percent":"14.77")", R"("data_percent":"14,77")", "data_percent \"14,77\""},
      {R"("pv_uuid":"aaaaaa-)", R"("pv_uuid":")", "pv_uuid"},
      {R"("pvseg_size":"997")", R"("pvseg_size":"")", "pvseg_size"},
      {R"("stripes":"2")", R"("stripes":"two")", "stripes \"two\""},
  }));
  const auto group = parse_report(report_with(from, to), "vg1");
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kInternal);
  CHECK_THAT(group.error().message, Catch::Contains(named));
}

TEST_CASE("a text that is not a report is rejected", "[metadata]") {
  const auto* const text = GENERATE("", "nonsense", "[]", "3", R"({"report":{}})", R"({"log":[]})");
  CAPTURE(text);
  const auto group = parse_report(text, "vg1");
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kInternal);
}

TEST_CASE("every truncated report is rejected without a crash", "[metadata]") {
  for (std::size_t size = 0; size + 3 < kReport.size(); size += 13)
    CHECK_FALSE(parse_report(kReport.substr(0, size), "vg1"));
}

TEST_CASE("the arguments request a report of one group in bytes", "[metadata]") {
  const auto arguments = report_arguments("vg1");
  CHECK(arguments.front() == "fullreport");
  CHECK(arguments.back() == "vg1");
  CHECK(std::ranges::find(arguments, "--nosuffix") != arguments.end());
}
