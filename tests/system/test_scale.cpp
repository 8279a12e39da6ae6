// A thousand volumes, read from the disks and from LVM's report.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/system/differential.hpp"
#include "tests/system/loop_group.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd;
using namespace lvmd::system_tests;

namespace {

// The group's metadata with `count` copies of its volume "lv0", one behind the other.
std::string with_copies(const std::string& text, int count) {
  const std::size_t begin = text.find("\t\tlv0 {");
  const std::string mark = "\n\t\t}\n";
  const std::size_t end = text.find(mark, begin) + mark.size();
  REQUIRE(begin != std::string::npos);
  const std::string section = text.substr(begin, end - begin);
  std::string copies;
  for (int i = 1; i <= count; ++i) {
    std::string copy = section;
    copy.replace(copy.find("lv0 {"), 3, fmt::format("lv{}", i));
    // The last characters of the UUID.
    const std::size_t id = copy.find("id = \"") + 6;
    copy.replace(id + 38 - 6, 6, fmt::format("{:06}", i));
    const std::size_t place = copy.find("\"pv0\", 0");
    copy.replace(place, 8, fmt::format("\"pv0\", {}", 2 * i));
    copies += copy;
  }
  std::string result = text;
  return result.insert(end, copies);
}

}  // namespace

TEST_CASE("a thousand volumes read the same as in LVM's report", "[system][layouts]") {
  constexpr int kCount = 1000;
  const LoopGroup group{"vgd_many", 1, {.extent = "64k", .metadata = "4m"}};
  must(fmt::format("lvcreate -q -y -Wn -Zn -an -n lv0 -l 1 --addtag a {}", group.name()));
  must(fmt::format("vgcfgbackup -q -f /run/loops/text {}", group.name()));
  std::stringstream text;
  text << std::ifstream{"/run/loops/text"}.rdbuf();
  std::ofstream{"/run/loops/text"} << with_copies(text.str(), kCount);
  // The host's own activation of new groups may have come in between: then LVM asks.
  must(
      fmt::format("vgcfgrestore -q -y -f /run/loops/text {0} && lvchange -q -ay {0}/lv0 {0}/lv7 "
                  "{0}/lv500 && rm /run/loops/text",
                  group.name()));
  const model::VolumeGroup state = check_readers_agree(group.name(), group.access());
  REQUIRE(state.logical_volumes.size() == kCount + 1);
  CHECK(state.find("lv500")->device);
  // A hole between each two volumes.
  REQUIRE(state.physical_volumes.size() == 1);
  CHECK(state.physical_volumes.front().free_areas.size() == kCount + 1);
}
