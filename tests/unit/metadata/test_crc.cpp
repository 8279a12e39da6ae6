#include <catch2/catch.hpp>

#include "lvmd/metadata/crc.hpp"

using namespace lvmd::metadata;

TEST_CASE("the checksum is CRC-32 without its final inversion", "[metadata]") {
  // The check value of CRC-32/JAMCRC in the catalogue of CRC algorithms.
  CHECK(crc("123456789", 0xffffffffU) == 0x340bc6d9U);
  CHECK(crc("") == kCrcSeed);
}

TEST_CASE("a checksum can be continued", "[metadata]") {
  CHECK(crc("6789", crc("12345")) == crc("123456789"));
  CHECK(crc("123456789") != crc("123456780"));
}
