#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lvmd/mounts/table/users.hpp"

using namespace lvmd;
using namespace lvmd::mounts;

namespace {

// Files in the kernel's format that replace /proc and /sys.
class FakeSources {
 public:
  FakeSources() {
    std::string name = (std::filesystem::temp_directory_path() / "users-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
    sources.mountinfo = (path_ / "mountinfo").string();
    sources.swaps = (path_ / "swaps").string();
    sources.block_devices = (path_ / "block").string();
  }
  ~FakeSources() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FakeSources(const FakeSources&) = delete;
  FakeSources& operator=(const FakeSources&) = delete;

  Sources sources;

 private:
  std::filesystem::path path_;
};

constexpr const char* kNamespaceMountinfo =
    "22 1 253:7 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
    "40 22 253:3 / /data rw,relatime shared:2 - xfs /dev/mapper/vg1-lin rw\n"
    "41 22 253:3 /sub /var/with\\040space rw - xfs /dev/mapper/vg1-lin rw\n"
    "42 22 0:25 / /proc rw - proc proc rw\n";

}  // namespace

TEST_CASE("who_uses names each mount point of a device once", "[mount]") {
  const FakeSources fake;
  std::ofstream{fake.sources.mountinfo} << kNamespaceMountinfo << kNamespaceMountinfo;
  CHECK(who_uses(253, 3, fake.sources) ==
        std::vector<std::string>{"mounted at /data", "mounted at /var/with space"});
  CHECK(who_uses(253, 7, fake.sources) == std::vector<std::string>{"mounted at /"});
  CHECK(who_uses(253, 30, fake.sources)->empty());
}

TEST_CASE("who_uses reports swap on a device", "[mount]") {
  const FakeSources fake;
  // Every machine has only the memory devices. Swap is found by device number, not by type.
  std::ofstream{fake.sources.swaps} << "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
                                       "/dev/null                               partition\t"
                                       "8188\t\t0\t\t-2\n"
                                       "/nonexistent/swapfile                   file\t\t"
                                       "8188\t\t0\t\t-3\n";
  CHECK(who_uses(1, 3, fake.sources) == std::vector<std::string>{"used as swap"});
  CHECK(who_uses(1, 5, fake.sources)->empty());
}

TEST_CASE("who_uses names the devices stacked on a device", "[mount]") {
  const FakeSources fake;
  std::filesystem::create_directories(fake.sources.block_devices + "/253:3/holders/dm-9");
  std::filesystem::create_directories(fake.sources.block_devices + "/253:3/holders/md0");
  CHECK(who_uses(253, 3, fake.sources) ==
        std::vector<std::string>{"part of device dm-9", "part of device md0"});
}

TEST_CASE("who_uses finds nothing without sources", "[mount]") {
  const FakeSources fake;
  CHECK(who_uses(253, 3, fake.sources)->empty());
}

TEST_CASE("an error for an unreadable source contains its path", "[mount]") {
  const FakeSources fake;
  std::filesystem::create_directory(fake.sources.mountinfo);
  const auto users = who_uses(253, 3, fake.sources);
  REQUIRE_FALSE(users);
  CHECK(users.error() == Error{Code::kInternal, "cannot read " + fake.sources.mountinfo});
}

TEST_CASE("the tables of the real machine are parsed", "[mount]") {
  CHECK(who_uses(4095, 1048575));
}
