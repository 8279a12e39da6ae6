#include <catch2/catch.hpp>
#include <string>

#include "lvmd/config/command_argument.hpp"

using namespace lvmd::config;

TEST_CASE("valid arguments of an LVM command are accepted [P-CFG-21]", "[config]") {
  const std::string argument = GENERATE(as<std::string>{}, "-m", "1", "--type=raid1", "--nosync",
                                        "/dev/sda1", "@fast", "a#b", "-i2", "~", "!");
  CHECK(check_command_argument(argument).has_value());
}

TEST_CASE("arguments that LVM would split are rejected [P-CFG-21]", "[config]") {
  const std::string not_printable = " contains a character that is not printable ASCII";
  const auto [argument, message] = GENERATE_COPY(table<std::string, std::string>({
      {"", "is empty"},
      {"--type raid1",
       "\"--type raid1\" contains a blank: write each argument as a separate list item"},
      {" ", "\" \" contains a blank: write each argument as a separate list item"},
      {"a\tb", "\"a\tb\"" + not_printable},
      {"a\n", "\"a\n\"" + not_printable},
      {"\x7f", "\"\x7f\"" + not_printable},
      {"\xc3\xa4", "\"\xc3\xa4\"" + not_printable},
      {"a\"b", "a\"b contains a quote or a backslash"},
      {"'a'", "'a' contains a quote or a backslash"},
      {"a\\", "a\\ contains a quote or a backslash"},
      {"#a", "\"#a\" begins with '#', which starts a comment in LVM"},
  }));
  const auto status = check_command_argument(argument);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error() == lvmd::make_error(lvmd::Code::kInvalidArgument, "{}", message));
}
