#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "reconciler/model/quantity.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

TEST_CASE("quantities are read as Kubernetes reads them [R-QTY-1]", "[reconciler][model]") {
  const auto [text, bytes] = GENERATE(table<std::string, std::int64_t>({
      {"0", 0},
      {"1073741824", 1073741824},
      {"1Gi", 1073741824},
      {"+1Gi", 1073741824},
      {"1.5Gi", 1610612736},
      {".5Ki", 512},
      {"5.", 5},
      {"500M", 500000000},
      {"1k", 1000},
      {"1E", 1000000000000000000},
      {"7Ei", 8070450532247928832},
      {"1e3", 1000},
      {"1E3", 1000},
      {"1e+3", 1000},
      {"12.5e1", 125},
      {"2500e-2", 25},
      {"4096000m", 4096},
      {"-1Gi", -1073741824},
      {"-0", 0},
      {"0000000000000000000000000012", 12},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"0e999999999999999999999", 0},
  }));
  INFO(text);
  const auto parsed = parse_quantity(text);
  REQUIRE(parsed.has_value());
  CHECK(parsed->value == bytes);
}

TEST_CASE("a fraction of a byte is rounded away from zero, however small [R-QTY-2]",
          "[reconciler][model]") {
  const auto [text, bytes] = GENERATE(table<std::string, std::int64_t>({
      {"1m", 1},
      {"1n", 1},
      {"0.0001Ki", 1},
      {"1000m", 1},
      {"1001m", 2},
      {"-1m", -1},
      {"1e-999999999999999999999", 1},
      {"1.00000000000000000000000000000000000001Gi", 1073741825},
  }));
  INFO(text);
  REQUIRE(parse_quantity(text).has_value());
  CHECK(parse_quantity(text)->value == bytes);
}

TEST_CASE("text that is not a quantity is refused by name [R-QTY-1]", "[reconciler][model]") {
  const std::string text = GENERATE(as<std::string>{}, "", "Gi", ".", "-", "+-1", "1 Gi", " 1",
                                    "1K", "1gi", "1Gib", "1ki", "1i", "1e", "1e1.5", "1e+-3",
                                    "1.2.3", "0x10", "1,5", "1GiGi", "ten", "1Ei2", "1e3Gi");
  INFO(text);
  const auto parsed = parse_quantity(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().code == Code::kInvalidArgument);
  CHECK(parsed.error().message.contains("\"" + text + "\""));
}

TEST_CASE("a quantity beyond 63 bits is refused, not wrapped [R-QTY-3]", "[reconciler][model]") {
  const std::string text =
      GENERATE(as<std::string>{}, "9223372036854775808", "8Ei", "10E", "1e19", "1e999999999999999",
               "9223372036854775807.5", "99999999999999999999999999999999", "100000Pi");
  INFO(text);
  const auto parsed = parse_quantity(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().message.contains("too large"));
}

TEST_CASE("the requested size is rounded up to 4096 [R-QTY-2]", "[reconciler][model]") {
  const auto [text, bytes] = GENERATE(table<std::string, std::int64_t>({
      {"1", 4096},
      {"4096", 4096},
      {"4097", 8192},
      {"1Gi", 1073741824},
      {"1G", 1000001536},
      {"9223372036854771712", 9223372036854771712},  // 2^63 - 4096
  }));
  INFO(text);
  REQUIRE(parse_wanted_size(text).has_value());
  CHECK(parse_wanted_size(text)->value == bytes);
}

TEST_CASE("a wrong size names the field and the value [R-QTY-3]", "[reconciler][model]") {
  const auto [text, word] = GENERATE(table<std::string, std::string>({
      {"", "missing"},
      {"-1Gi", "\"-1Gi\" is negative"},
      {"-1m", "\"-1m\" is negative"},
      {"0", "\"0\" is zero"},
      {"big", "\"big\" is not a quantity"},
      {"9223372036854771713", "too large"},
      {"8Ei", "too large"},
  }));
  INFO(text);
  const auto parsed = parse_wanted_size(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().code == Code::kInvalidArgument);
  CHECK(parsed.error().message.starts_with("spec.size"));
  CHECK(parsed.error().message.contains(word));
}

TEST_CASE("sizes are written with the largest suffix that divides them [R-QTY-4]",
          "[reconciler][model]") {
  const auto [bytes, text] = GENERATE(table<std::int64_t, std::string>({
      {0, "0"},
      {512, "512"},
      {1024, "1Ki"},
      {1536, "1536"},
      {1073741824, "1Gi"},
      {1077936128, "1028Mi"},
      {std::int64_t{1} << 62U, "4Ei"},
  }));
  CHECK(format_quantity({bytes}) == text);
  CHECK(parse_quantity(text)->value == bytes);
}
