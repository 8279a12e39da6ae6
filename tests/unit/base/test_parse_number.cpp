#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>

#include "lvmd/base/parse_number.hpp"

using lvmd::parse_number;

TEST_CASE("a number is the whole text and fits its type", "[base]") {
  CHECK(parse_number<std::uint32_t>("42") == 42U);
  CHECK(parse_number<std::uint64_t>("ff", 16) == 255U);
  CHECK(parse_number<double>("1.5") == 1.5);
  for (const char* const text : {"", "+1", " 1", "1 ", "1x", "-1", "4294967296"})
    CHECK(parse_number<std::uint32_t>(text) == std::nullopt);
}
