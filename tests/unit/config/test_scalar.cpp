#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "lvmd/config/scalar.hpp"

using namespace lvmd::config;

TEST_CASE("a scalar without a meaning in YAML 1.1 is text", "[config]") {
  const std::string text = GENERATE(as<std::string>{}, "ssd", "64k", "1.2.3", "-", "--type=raid1",
                                    "+", ".", "1e", "e1", "0x", "0xg", "1 2", "nan", "inf", "-inf",
                                    "tRue", "yEs", "nULL", "/dev/sda", "0b2", "-m", "+-5");
  CHECK(resolve_plain(text) == Scalar{text});
}

TEST_CASE("null has five spellings", "[config]") {
  const std::string text = GENERATE(as<std::string>{}, "", "~", "null", "Null", "NULL");
  CHECK(resolve_plain(text) == Scalar{Null{}});
}

TEST_CASE("booleans have the spellings of YAML 1.1 [P-CFG-5]", "[config]") {
  for (const char* const text :
       {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"})
    CHECK(resolve_plain(text) == Scalar{true});
  for (const char* const text :
       {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"})
    CHECK(resolve_plain(text) == Scalar{false});
}

TEST_CASE("whole numbers are read in their base, up to 64 bits", "[config]") {
  const auto [text, value] = GENERATE(table<std::string, std::uint64_t>({
      {"0", 0},
      {"7", 7},
      {"+7", 7},
      {"-0", 0},
      {"1_000", 1000},
      {"010", 8},
      {"0o10", 8},
      {"0x1F", 31},
      {"0X1f", 31},
      {"0b101", 5},
      {"18446744073709551615", 18'446'744'073'709'551'615U},
  }));
  CHECK(resolve_plain(text) == Scalar{value});
}

TEST_CASE("other numbers are floating point", "[config]") {
  const auto [text, value] = GENERATE(table<std::string, double>({
      {"1.5", 1.5},
      {"1.0", 1.0},
      {"+1.5", 1.5},
      {"-1.5", -1.5},
      {".5", 0.5},
      {"5.", 5.0},
      {"1e3", 1000.0},
      {"1.5E-1", 0.15},
      {"-1", -1.0},
      {"-0x10", -16.0},
      {"08", 8.0},
      {"18446744073709551616", 18'446'744'073'709'551'616.0},
      {".inf", std::numeric_limits<double>::infinity()},
      {"+.Inf", std::numeric_limits<double>::infinity()},
      {"-.INF", -std::numeric_limits<double>::infinity()},
  }));
  CHECK(resolve_plain(text) == Scalar{value});
}

TEST_CASE("not-a-number is a number in YAML", "[config]") {
  for (const char* const text : {".nan", ".NaN", ".NAN"}) {
    const Scalar value = resolve_plain(text);
    REQUIRE(std::holds_alternative<double>(value));
    CHECK(std::isnan(std::get<double>(value)));
  }
}

TEST_CASE("only the canonical spelling of a value is shown as written", "[config]") {
  for (const char* const text : {"ssd", "true", "false", "0", "123", "1.5", "-1.5", ""})
    CHECK(is_shown_as_written(resolve_plain(text), text));
  for (const char* const text :
       {"yes", "True", "n", "010", "0x10", "+1", "1_0", "1.50", "1e3", "1.0", ".5", ".inf", "-0"})
    CHECK_FALSE(is_shown_as_written(resolve_plain(text), text));
}
