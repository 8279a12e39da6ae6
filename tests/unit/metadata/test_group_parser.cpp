#include <catch2/catch.hpp>
#include <string>

#include "lvmd/metadata/group_parser.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::metadata::test;

namespace {

Result<VolumeGroupMetadata> parse(const std::string& text, std::string_view system_id = {}) {
  const auto tree = ConfigTree::parse(text);
  if (!tree) return std::unexpected(tree.error());
  return parse_group(*tree, "vg1", system_id);
}

const LvMetadata& find(const VolumeGroupMetadata& group, std::string_view name) {
  for (const LvMetadata& lv : group.logical_volumes)
    if (lv.name == name) return lv;
  FAIL("no volume " << name);
  return group.logical_volumes.front();
}

}  // namespace

TEST_CASE("a group's head and physical volumes are read", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  CHECK(group->name == "vg1");
  CHECK(group->id == kVgId);
  CHECK(group->seqno == 42);
  CHECK(group->extent_size == model::Bytes{4U << 20U});
  REQUIRE(group->physical_volumes.size() == 2);
  const model::PhysicalVolume& pv0 = group->physical_volumes[0];
  CHECK(pv0.id == kPv0Id);
  CHECK(pv0.size == model::Extents{1000});
  // lin 30, str 10, spare 1, pool 25 + 1.
  CHECK(pv0.free == model::Extents{1000 - 67});
  CHECK(pv0.free_areas == std::vector<model::Extents>{{1000 - 67}});
  CHECK(pv0.allocatable);
  CHECK_FALSE(pv0.missing);
  const model::PhysicalVolume& pv1 = group->physical_volumes[1];
  CHECK(pv1.id == kPv1Id);
  CHECK(pv1.free == model::Extents{500 - 60});
  // Between the stripe at 0–9 and the linear segment at 100–149, and after it.
  CHECK(pv1.free_areas == std::vector<model::Extents>{{90}, {350}});
  CHECK_FALSE(pv1.allocatable);
}

TEST_CASE("volumes are sorted by name", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  std::vector<std::string> names;
  for (const LvMetadata& lv : group->logical_volumes) names.push_back(lv.name);
  CHECK(names == std::vector<std::string>{"lin", "lvol0_pmspare", "pool", "pool_tdata",
                                          "pool_tmeta", "snap", "str", "thin"});
}

TEST_CASE("a linear volume of two segments", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  const LvMetadata& lv = find(*group, "lin");
  CHECK(lv.id == "LLLLLL00000000000000000000lin000");
  CHECK(lv.kind == LvKind::kPlain);
  CHECK(lv.segment_type == "linear");
  CHECK(lv.stripes == 1);
  CHECK(lv.size == model::Extents{80});
  CHECK(lv.tags == std::vector<std::string>{"lvmd.v1:class=ssd", "team/a"});
  CHECK(lv.allocation == 'i');
  CHECK(lv.on == std::vector<std::size_t>{0, 1});
  CHECK((lv.visible && lv.readable && lv.writable));
  CHECK_FALSE((lv.fixed_minor || lv.activation_skip));
}

TEST_CASE("a striped read-only volume", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  const LvMetadata& lv = find(*group, "str");
  CHECK(lv.segment_type == "striped");
  CHECK(lv.stripes == 2);
  CHECK(lv.allocation == 'c');
  CHECK_FALSE(lv.writable);
}

TEST_CASE("a thin pool and its parts", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  const LvMetadata& pool = find(*group, "pool");
  CHECK(pool.kind == LvKind::kThinPool);
  CHECK(pool.segment_type == "thin-pool");
  CHECK(pool.size == model::Extents{25});
  CHECK(pool.zeroes_blocks);
  CHECK(pool.used_pool);
  CHECK(pool.transaction_id == 2);
  CHECK(pool.has_messages);
  CHECK(find(*group, "pool_tdata").is(LvMark::kThinPoolData));
  CHECK(find(*group, "pool_tdata").part_of == "pool");
  CHECK(find(*group, "pool_tmeta").is(LvMark::kThinPoolMetadata));
  CHECK(find(*group, "lvol0_pmspare").is(LvMark::kPoolSpare));
  CHECK_FALSE(find(*group, "pool_tdata").visible);
}

TEST_CASE("an unused thin pool without zeroing", "[metadata]") {
  std::string text = sample_with("\t\t\t\tzero_new_blocks = 1\n", "");
  text.replace(text.find("transaction_id = 2"), 18, "transaction_id = 0");
  const auto group = parse(text);
  REQUIRE(group);
  CHECK_FALSE(find(*group, "pool").zeroes_blocks);
  CHECK_FALSE(find(*group, "pool").used_pool);
}

TEST_CASE("a thin volume and its snapshot", "[metadata]") {
  const auto group = parse(sample_text());
  REQUIRE(group);
  const LvMetadata& thin = find(*group, "thin");
  CHECK(thin.kind == LvKind::kThin);
  CHECK(thin.pool == "pool");
  CHECK(thin.origin.empty());
  CHECK(thin.on.empty());
  const LvMetadata& snap = find(*group, "snap");
  CHECK(snap.origin == "thin");
  CHECK(snap.activation_skip);
  CHECK_FALSE(snap.writable);
}

TEST_CASE("a group can be without volumes", "[metadata]") {
  const auto group = parse(empty_group("vg1", kVgId, 1));
  // The id in this sample has no dashes. LVM accepts that, too.
  REQUIRE(group);
  CHECK(group->logical_volumes.empty());
  CHECK(group->physical_volumes.at(0).free == model::Extents{1000});
}

TEST_CASE("flags without effect on the state are accepted", "[metadata]") {
  const auto group = parse(sample_with("flags = [\"ACTIVATION_SKIP\"]",
                                       "flags = [\"NOAUTOACTIVATE\", \"ERROR_WHEN_FULL\"]"));
  REQUIRE(group);
  CHECK_FALSE(find(*group, "snap").activation_skip);
}

TEST_CASE("WRITE_LOCKED means writable, FIXED_MINOR is read", "[metadata]") {
  const auto group = parse(sample_with("status = [\"READ\", \"VISIBLE\"]\n\t\t\tflags = []",
                                       "status = [\"READ\", \"VISIBLE\", \"FIXED_MINOR\"]\n"
                                       "\t\t\tflags = [\"WRITE_LOCKED\"]"));
  REQUIRE(group);
  CHECK(find(*group, "str").writable);
  CHECK(find(*group, "str").fixed_minor);
}

TEST_CASE("allocation policies have the letters of lvs", "[metadata]") {
  const auto [policy, letter] = GENERATE(table<const char*, char>({{"contiguous", 'c'},
                                                                   {"cling", 'l'},
                                                                   {"cling_by_tags", 't'},
                                                                   {"normal", 'n'},
                                                                   {"anywhere", 'a'},
                                                                   {"inherit", 'i'},
                                                                   {"new-in-lvm4", 'i'}}));
  const auto group = parse(sample_with("\"contiguous\"", std::string{"\""} + policy + "\""));
  REQUIRE(group);
  CHECK(find(*group, "str").allocation == letter);
}

TEST_CASE("a physical volume that the text marks as missing is missing", "[metadata]") {
  const auto [from, to] = GENERATE(table<const char*, const char*>(
      {{"status = []\n\t\t\tflags = []", "status = []\n\t\t\tflags = [\"MISSING\"]"},
       {"status = []\n\t\t\tflags = []", "status = [\"MISSING\"]\n\t\t\tflags = []"}}));
  const auto group = parse(sample_with(from, to));
  REQUIRE(group);
  CHECK(group->physical_volumes[1].missing);
}

TEST_CASE("a group that this host must not use is unavailable with the reason", "[metadata]") {
  const auto [from, to, reason] = GENERATE(table<const char*, const char*, const char*>({
      {"status = [\"RESIZEABLE\"", "status = [\"EXPORTED\", \"RESIZEABLE\"",
       "volume group vg1 is exported: `vgimport vg1` makes it usable again"},
      {"max_lv = 0", "lock_type = \"sanlock\"\n",
       "volume group vg1 is shared between hosts (lock_type \"sanlock\"): lvmd manages groups of "
       "one host only"},
      {"status = [\"RESIZEABLE\"", "status = [\"CLUSTERED\", \"RESIZEABLE\"",
       "volume group vg1 is shared between hosts (lock_type \"\"): lvmd manages groups of one "
       "host only"},
      {"max_lv = 0", "system_id = \"other\"",
       "volume group vg1 belongs to a host with the LVM system ID \"other\", which LVM "
       "does not accept on this host"},
  }));
  const auto group = parse(sample_with(from, to), "here");
  REQUIRE_FALSE(group);
  CHECK(group.error() == Error{Code::kUnavailable, reason});
}

TEST_CASE("a group with this host's system id, or with lock_type none, is read", "[metadata]") {
  CHECK(parse(sample_with("max_lv = 0", "system_id = \"here\""), "here"));
  CHECK(parse(sample_with("max_lv = 0", "lock_type = \"none\"")));
}

TEST_CASE("unknown items are errors that name them, for a fallback to LVM's report [E-NATIVE-2]",
          "[metadata]") {
  const auto [from, to, named] = GENERATE(table<const char*, const char*, const char*>({
      {"type = \"striped\"", "type = \"vdo\"", "segment type vdo"},
      {"type = \"striped\"", "type = \"integrity\"", "segment type integrity"},
      {"type = \"striped\"", "type = \"striped+NEW\"", "segment type striped+NEW"},
      {"type = \"thin\"\n", "type = \"thin+NEW\"\n", "segment type thin+NEW"},
      {"status = [\"READ\", \"WRITE\", \"VISIBLE\"]", "status = [\"READ\", \"NEW\"]", "NEW"},
      {"flags = [\"ACTIVATION_SKIP\"]", "flags = [\"NEWER\"]", "NEWER"},
      {"status = [\"ALLOCATABLE\"]", "status = [\"NEWER\"]", "NEWER"},
      {"status = [\"RESIZEABLE\"", "status = [\"NEWEST\"", "NEWEST"},
      {"logical_volumes {", "new_volumes {", "vg1/new_volumes"},
      {"version = 1", "version = 2", "version 2"},
      {"Text Format", "Binary Format", "Binary Format"},
  }));
  const auto group = parse(sample_with(from, to));
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnimplemented);
  CHECK_THAT(group.error().message, Catch::Contains(named));
}

TEST_CASE("a contradictory text is an error, for a fallback to LVM's report", "[metadata]") {
  const auto [from, to, named] = GENERATE(table<const char*, const char*, const char*>({
      {"id = \"Ukn0Sw-", "id = \"", "vg1/id"},
      {"seqno = 42", "seqno = -1", "vg1/seqno"},
      {"extent_size = 8192", "extent_size = 0", "vg1/extent_size"},
      {"extent_size = 8192", "extent_size = 99999999999", "vg1/extent_size"},
      {"pe_count = 1000", "pe_count = 60", "area on pv0 ends after"},
      {"pe_count = 1000", "pe_count = 99999999999", "pe_count"},
      {"\"pv0\", 41", "\"pv7\", 41", "names pv7"},
      {"\"pv0\", 41", "\"pv0\", 976", "area on pv0 ends after"},
      {"\"pv0\", 41", "\"pv0\", 9223372036854775807", "area on pv0 ends after"},
      {"stripe_count = 2", "stripe_count = 0", "stripes"},
      {"stripe_count = 2", "stripe_count = 4", "2 areas cannot hold 20 extents in 4 stripes"},
      {"extent_count = 20", "extent_count = 21", "2 stripes cannot hold 21 extents"},
      {"extent_count = 20", "extent_count = 0", "str/segment1 is empty"},
      {"start_extent = 30", "start_extent = 31", "lin: the segments do not cover the whole volume"},
      {"start_extent = 30", "start_extent = 29", "lin: the segments do not cover the whole volume"},
      {"segment_count = 2", "segment_count = 1", "lin: the segments do not cover the whole volume"},
      {"thin_pool = \"pool\"", "thin_pool = \"lin\"", "names lin"},
      {"thin_pool = \"pool\"", "thin_pool = \"gone\"", "names gone"},
      {"origin = \"thin\"", "origin = \"gone\"", "names gone"},
      {"pool = \"pool_tdata\"", "pool = \"gone\"", "names gone"},
      {"pool = \"pool_tdata\"", "pool = \"pool\"", "names pool"},
      {"metadata = \"pool_tmeta\"", "metadata = \"pool_tdata\"", "names pool_tdata"},
      {"\t\tsnap {", "\t\tthin {", "thin exists twice"},
      {"\t\tpv1 {", "\t\tpv0 {", "vg1/physical_volumes/pv0 exists twice"},
      {"vg1 {", "vg2 {", "no section vg1"},
  }));
  CAPTURE(from, to);
  const auto group = parse(sample_with(from, to));
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnimplemented);
  CHECK_THAT(group.error().message, Catch::Contains(named));
}

TEST_CASE("volumes that overlap on a physical volume are rejected", "[metadata]") {
  const auto [from, to, extent] = GENERATE(table<const char*, const char*, const char*>(
      {{"\"pv0\", 41", "\"pv0\", 39", "two segments use extent 39"},
       {"\"pv1\", 100", "\"pv1\", 9  ", "two segments use extent 9"}}));
  const auto group = parse(sample_with(from, to));
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnimplemented);
  CHECK_THAT(group.error().message, Catch::Contains(extent));
}

TEST_CASE("a hidden pool with the name of a spare is not a spare", "[metadata]") {
  std::string text = sample_text();
  for (std::size_t at = 0; (at = text.find("pool_tmeta", at)) != std::string::npos;)
    text.replace(at, 10, "pool      ");
  CHECK_FALSE(parse(text));
}

TEST_CASE("every truncated text is rejected without a crash", "[metadata]") {
  const std::string text = sample_text();
  const std::size_t end = text.find("contents = ");
  for (std::size_t size = 0; size < end; size += 7) {
    CAPTURE(size);
    CHECK_FALSE(parse(text.substr(0, size)));
  }
}

TEST_CASE("a text begins with the name of its group", "[metadata]") {
  CHECK(is_text_of("vg1 {\n", "vg1"));
  CHECK_FALSE(is_text_of("vg10 {\n", "vg1"));
  CHECK_FALSE(is_text_of("vg1", "vg1"));
  CHECK_FALSE(is_text_of("", "vg1"));
}

TEST_CASE("a summary has id and seqno", "[metadata]") {
  const std::string text = sample_text();
  const auto tree = ConfigTree::parse(text);
  REQUIRE(tree);
  const auto summary = summarize(*tree, "vg1");
  REQUIRE(summary);
  CHECK(summary->id == kVgId);
  CHECK(summary->seqno == 42);
}
