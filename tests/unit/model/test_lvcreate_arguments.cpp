#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/model/lvcreate_arguments.hpp"

using namespace lvmd::model;

namespace {

// "option=value@index", ":operand@index" or "?@index" for each item.
std::vector<std::string> parsed(const std::vector<std::string>& arguments) {
  std::vector<std::string> items;
  for (const LvcreateArgument& argument : parse_lvcreate_arguments(arguments)) {
    std::string item = "?";
    if (argument.kind == ArgumentKind::kOption)
      item = std::string{argument.option} + "=" + std::string{argument.value};
    if (argument.kind == ArgumentKind::kOperand) item = ":" + std::string{argument.value};
    items.push_back(item + "@" + std::to_string(argument.index));
  }
  return items;
}

using Items = std::vector<std::string>;

}  // namespace

TEST_CASE("all spellings of an option have the same result", "[model]") {
  const auto arguments = GENERATE(values<std::vector<std::string>>(
      {{"-i", "2"}, {"-i2"}, {"--stripes", "2"}, {"--stripes=2"}, {"--stri-pes=2"}}));
  CHECK(parsed(arguments) == Items{"stripes=2@0"});
}

TEST_CASE("a long name can be abbreviated if it stays unambiguous", "[model]") {
  CHECK(parsed({"--addt=x"}) == Items{"addtag=x@0"});
  CHECK(parsed({"--regions", "1m"}) == Items{"regionsize=1m@0"});
  // "devices" is a full name, although "devicesfile" begins with it. "device" is ambiguous.
  CHECK(parsed({"--devices", "/dev/sda"}) == Items{"devices=/dev/sda@0"});
  CHECK(parsed({"--device=/dev/sda"}) == Items{"?@0"});
  CHECK(parsed({"--stripe=2"}) == Items{"?@0"});
}

TEST_CASE("one argument can contain several letters, until one takes a value", "[model]") {
  CHECK(parsed({"-qKm1"}) == Items{"quiet=@0", "ignoreactivationskip=@0", "mirrors=1@0"});
  CHECK(parsed({"-qm", "1", "-Zn"}) == Items{"quiet=@0", "mirrors=1@0", "zero=n@2"});
}

TEST_CASE("an argument that is neither option nor value is an operand, in any place", "[model]") {
  CHECK(parsed({"/dev/sdb", "-m", "1", "@fast"}) ==
        Items{":/dev/sdb@0", "mirrors=1@1", ":@fast@3"});
  CHECK(parsed({"--", "-m"}) == Items{"?@0", ":-m@1"});
}

TEST_CASE("an unknown option and an option without its value are unknown", "[model]") {
  CHECK(parsed({"--nonsense=1", "-m1"}) == Items{"?@0", "mirrors=1@1"});
  CHECK(parsed({"-!"}) == Items{"?@0"});
  CHECK(parsed({"--type"}) == Items{"?@0"});
  CHECK(parsed({"--nosync=y"}) == Items{"?@0"});
}
