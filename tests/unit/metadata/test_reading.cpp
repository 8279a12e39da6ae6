#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/metadata/reading.hpp"
#include "tests/unit/metadata/pv_image.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd::metadata;
using namespace lvmd::metadata::test;

namespace {

// A reading of one device, identified by the offset in its header.
Reading reading_at(std::uint64_t offset, bool intact) {
  const MdaHeader header{.area_size = 65536,
                         .text = TextLocation{.offset = offset, .size = 100, .checksum = 1}};
  Reading reading;
  reading.scan.devices = {{.path = "/dev/pv",
                           .identity = {},
                           .pv_id = "id",
                           .areas = {{.range = {4096, 65536}, .header = header}}}};
  reading.intact = intact;
  return reading;
}

// Returns the readings one after another and counts them.
struct Script {
  std::vector<Reading> readings;
  std::size_t used = 0;

  std::optional<Reading> settle_all() {
    return settle([this] { return readings.at(used++); });
  }
};

}  // namespace

TEST_CASE("an intact reading is accepted at once", "[metadata]") {
  Script script{{reading_at(512, true)}};
  CHECK(script.settle_all());
  CHECK(script.used == 1);
}

TEST_CASE("a header that changes during the reading is read again", "[metadata]") {
  Script script{{reading_at(512, false), reading_at(1024, false), reading_at(1536, true)}};
  const auto reading = script.settle_all();
  REQUIRE(reading);
  CHECK(reading->intact);
  CHECK(script.used == 3);
}

TEST_CASE("a problem without a change of headers is damage", "[metadata]") {
  Script script{{reading_at(512, false), reading_at(1024, false), reading_at(1024, false)}};
  const auto reading = script.settle_all();
  REQUIRE(reading);
  CHECK_FALSE(reading->intact);
  CHECK(script.used == 3);
}

TEST_CASE("headers that keep changing end the reading after several attempts", "[metadata]") {
  Script script;
  for (std::uint64_t offset = 1; offset <= 100; ++offset)
    script.readings.push_back(reading_at(512 * offset, false));
  CHECK_FALSE(script.settle_all());
  CHECK(script.used < 20);
}

TEST_CASE("a header that changes between scan and text makes the reading not intact",
          "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  const std::vector<std::string> paths{image.path()};
  image.commit(sample_text(), 0, 512);
  Scan before = scan_devices(paths);
  // The place of the first text is reused, as LVM does after several commits.
  image.commit(sample_with("seqno = 42", "seqno = 44"), 0, 512);
  const Reading torn = read_texts(std::move(before), "vg1");
  CHECK_FALSE(torn.intact);
  CHECK(torn.texts.empty());
  const Reading whole = read_texts(scan_devices(paths), "vg1");
  CHECK(whole.intact);
  CHECK(whole.texts.size() == 1);
}

TEST_CASE("equal texts are read once", "[metadata]") {
  const ScratchFolder folder;
  PvImage first{folder.file("pv0"), kPv0Id};
  PvImage second{folder.file("pv1"), kPv1Id};
  first.commit(sample_text(), 0, 512);
  second.commit(sample_text(), 0, 4096);
  const std::vector<std::string> paths{first.path(), second.path()};
  CHECK(read_texts(scan_devices(paths), "vg1").texts.size() == 1);
}
