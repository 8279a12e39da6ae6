#include <catch2/catch.hpp>
#include <string>

#include "lvmd/config/command_argument.hpp"

using namespace lvmd::config;

TEST_CASE("words of an LVM command are accepted [P-CFG-21]", "[config]") {
  const std::string argument = GENERATE(as<std::string>{}, "-m", "1", "--type=raid1", "--nosync",
                                        "/dev/sda1", "@fast", "a#b", "-i2", "~", "!");
  CHECK(check_command_argument(argument).has_value());
}

TEST_CASE("words that LVM would take apart are refused [P-CFG-21]", "[config]") {
  const std::string not_printable = " has a character in it that is not printable ASCII";
  const auto [argument, message] = GENERATE_COPY(table<std::string, std::string>({
      {"", "is an empty argument"},
      {"--type raid1",
       "\"--type raid1\" has a blank in it: write each argument as a list item of its own"},
      {" ", "\" \" has a blank in it: write each argument as a list item of its own"},
      {"a\tb", "\"a\tb\"" + not_printable},
      {"a\n", "\"a\n\"" + not_printable},
      {"\x7f", "\"\x7f\"" + not_printable},
      {"\xc3\xa4", "\"\xc3\xa4\"" + not_printable},
      {"a\"b", "a\"b has a quote or backslash in it"},
      {"'a'", "'a' has a quote or backslash in it"},
      {"a\\", "a\\ has a quote or backslash in it"},
      {"#a", "\"#a\" begins with '#', which LVM takes for a comment"},
  }));
  const auto status = check_command_argument(argument);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error() == lvmd::make_error(lvmd::Code::kInvalidArgument, "{}", message));
}
