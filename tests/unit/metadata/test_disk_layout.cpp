#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "lvmd/metadata/disk_layout.hpp"
#include "tests/unit/metadata/pv_image.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::metadata::test;

namespace {

constexpr DiskRange kArea{.offset = 4096, .size = 65536};
constexpr TextLocation kLocation{.offset = 1024, .size = 300, .checksum = 7};

}  // namespace

TEST_CASE("a label is found in each of the first four sectors", "[metadata]") {
  const auto number = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3});
  const auto label = parse_label(label_sectors(kPv0Id, {kArea, {1 << 20, 4096}}, number));
  REQUIRE(label);
  CHECK(label->pv_id == kPv0Id);
  CHECK(label->metadata_areas == std::vector<DiskRange>{kArea, {1 << 20, 4096}});
}

TEST_CASE("a physical volume may have no metadata area", "[metadata]") {
  const auto label = parse_label(label_sectors(kPv0Id, {}));
  REQUIRE(label);
  CHECK(label->metadata_areas.empty());
}

TEST_CASE("a damaged label is ignored", "[metadata]") {
  using Damage = std::function<void(std::string&)>;
  const auto [what, damage] = GENERATE(table<const char*, Damage>({
      {"no label", [](std::string& sector) { sector.replace(0, 8, "LABELTWO"); }},
      {"another sector's", [](std::string& sector) { put_number(sector, 8, 2, 8); }},
      {"another type", [](std::string& sector) { sector.replace(24, 8, "LVM1 001"); }},
      {"content outside", [](std::string& sector) { put_number(sector, 20, 600, 4); }},
      {"content far outside", [](std::string& sector) { put_number(sector, 20, UINT32_MAX, 4); }},
      {"content cut off", [](std::string& sector) { put_number(sector, 20, 500, 4); }},
      {"an id that is none", [](std::string& sector) { sector[40] = '\n'; }},
      {"a list without end",
       [](std::string& sector) {
         for (std::size_t at = 72; at < 512; ++at) sector[at] = '\1';
       }},
  }));
  INFO(what);
  std::string head = label_sectors(kPv0Id, {kArea});
  std::string sector = head.substr(512, 512);
  damage(sector);
  seal_label(sector);
  const auto label = parse_label(head.replace(512, 512, sector));
  REQUIRE_FALSE(label);
  CHECK(label.error() == Error{Code::kNotFound, "no intact LVM label"});
}

TEST_CASE("a label with a wrong checksum is ignored", "[metadata]") {
  std::string head = label_sectors(kPv0Id, {kArea});
  head[600] = 'x';
  CHECK_FALSE(parse_label(head));
}

TEST_CASE("too few bytes contain no label", "[metadata]") {
  const std::string head = label_sectors(kPv0Id, {kArea});
  const auto size = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{511}, std::size_t{1023});
  CHECK_FALSE(parse_label(std::string_view{head}.substr(0, size)));
}

TEST_CASE("a header has the place of the committed text", "[metadata]") {
  const auto header = parse_mda_header(mda_header(kArea, kLocation), kArea.offset);
  REQUIRE(header);
  CHECK(*header == MdaHeader{.area_size = kArea.size, .text = kLocation});
}

TEST_CASE("an empty area and an ignored area have no text", "[metadata]") {
  const auto empty = parse_mda_header(mda_header(kArea, {}), kArea.offset);
  REQUIRE(empty);
  CHECK_FALSE(empty->text);
  const auto ignored = parse_mda_header(mda_header(kArea, kLocation, 1), kArea.offset);
  REQUIRE(ignored);
  CHECK_FALSE(ignored->text);
}

TEST_CASE("a text can wrap, but must be inside its area", "[metadata]") {
  const auto [offset, size, good] = GENERATE(table<std::uint64_t, std::uint64_t, bool>({
      {512, 65536 - 512, true},
      {65535, 65536 - 512, true},
      {65535, 2, true},
      {511, 10, false},
      {65536, 10, false},
      {UINT64_MAX, 10, false},
      {512, 0, false},
      {512, 65536 - 511, false},
      {512, UINT64_MAX, false},
  }));
  CAPTURE(offset, size);
  std::string sector = mda_header(kArea, kLocation);
  put_number(sector, 40, offset, 8);
  put_number(sector, 48, size, 8);
  seal_header(sector);
  CHECK(parse_mda_header(sector, kArea.offset).has_value() == good);
}

TEST_CASE("a damaged header is rejected with the reason", "[metadata]") {
  using Damage = std::function<void(std::string&)>;
  const auto [reason, damage] = GENERATE(table<const char*, Damage>({
      {"its header has no magic", [](std::string& sector) { sector[6] = 'x'; }},
      {"its header has an unknown version", [](std::string& sector) { sector[20] = 2; }},
      {"its header belongs to another offset", [](std::string& sector) { sector[24] = 1; }},
      {"its text lies outside the area", [](std::string& sector) { put_number(sector, 32, 0, 8); }},
  }));
  std::string sector = mda_header(kArea, kLocation);
  damage(sector);
  seal_header(sector);
  const auto header = parse_mda_header(sector, kArea.offset);
  REQUIRE_FALSE(header);
  CHECK(header.error() ==
        Error{Code::kUnavailable, std::string{"metadata area at 4096: "} + reason});
}

TEST_CASE("a header with a wrong checksum is rejected", "[metadata]") {
  std::string sector = mda_header(kArea, kLocation);
  sector[500] = 'x';
  const auto header = parse_mda_header(sector, kArea.offset);
  REQUIRE_FALSE(header);
  CHECK(header.error().message == "metadata area at 4096: its header has a wrong checksum");
  CHECK_FALSE(parse_mda_header(std::string_view{sector}.substr(0, 100), kArea.offset));
}
