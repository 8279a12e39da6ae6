#include <dirent.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "lvmd/lvm/device_search.hpp"

using lvmd::lvm::OnlyDevicesFound;
using Names = std::vector<std::string>;

namespace {

// Without "." and "..", which LVM skips.
Names names_in(const char* folder) {
  dirent64** list = nullptr;
  const int count = ::scandir64(folder, &list, nullptr, &::alphasort64);
  REQUIRE(count >= 0);
  Names names;
  for (int i = 0; i < count; ++i) {
    if (list[i]->d_name[0] != '.') names.emplace_back(list[i]->d_name);
    std::free(list[i]);
  }
  std::free(static_cast<void*>(list));
  return names;
}

}  // namespace

TEST_CASE("LVM finds only the devices of its command, and the folders above them", "[lvm]") {
  const Names all = names_in("/dev");
  REQUIRE(all.size() > 2);
  {
    const std::vector<std::string> devices{"/dev/sdb", "/dev/disk/by-id/wwn-1", "/dev/sda",
                                           "/dev/mapper/mpatha"};
    const OnlyDevicesFound limit{devices};
    CHECK(names_in("/dev") == Names{"disk", "mapper", "sda", "sdb"});
    CHECK(names_in("/dev/disk") == Names{"by-id"});
    CHECK(names_in("/dev/disk/by-id/") == Names{"wwn-1"});
    CHECK(names_in("/dev/mapper") == Names{"mpatha"});
    CHECK(names_in("/dev/block").empty());
    CHECK(names_in("/proc/self").size() > 2);
  }
  CHECK(names_in("/dev") == all);
}

TEST_CASE("without devices, and for devices elsewhere, LVM finds all names", "[lvm]") {
  const Names all = names_in("/dev");
  const std::vector<std::string> none;
  const std::vector<std::string> elsewhere{"/devices/sda"};
  for (const auto& devices : {none, elsewhere}) {
    const OnlyDevicesFound limit{devices};
    CHECK(names_in("/dev") == all);
  }
}
