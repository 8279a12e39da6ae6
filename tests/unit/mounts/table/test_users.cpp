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

TEST_CASE("the mounts of a device's node are found by the names of the node [P-REMOVE-3]",
          "[mount]") {
  const FakeSources fake;
  const std::string device = fake.sources.block_devices + "/253:7";
  std::filesystem::create_directories(device + "/dm");
  std::ofstream{device + "/uevent"} << "MAJOR=253\nMINOR=7\nDEVNAME=dm-7\nDEVTYPE=disk\n";
  std::ofstream{device + "/dm/name"} << "vg1-raw\n";
  std::ofstream{fake.sources.mountinfo}
      << "22 1 253:0 / / rw shared:1 - ext4 /dev/vda1 rw\n"
         "25 22 0:6 / /dev rw,nosuid shared:8 - devtmpfs udev rw,size=4096k,mode=755\n"
         // Of other nodes, of a removed node, and of files with the same path elsewhere.
         "40 22 0:6 /dm-70 /other/a rw - devtmpfs udev rw\n"
         "41 22 0:6 /dm-7//deleted /other/b rw - devtmpfs udev rw\n"
         "42 22 0:6 /block/dm-7 /other/c rw - devtmpfs udev rw\n"
         "43 22 0:30 /dm-7 /other/d rw - tmpfs tmpfs rw\n"
         "44 22 253:0 /dm-7 /other/e rw - ext4 /dev/vda1 rw\n";
  CHECK(node_mounts(253, 7, fake.sources)->empty());
  CHECK(who_uses(253, 7, fake.sources)->empty());

  std::ofstream{fake.sources.mountinfo, std::ios::app}
      << "45 22 0:6 /dm-7 /pods/with\\040space rw - devtmpfs udev rw,size=4096k,mode=755\n"
         "46 22 0:6 /dm-7 /pods/a ro - devtmpfs udev rw,size=4096k,mode=755\n"
         "47 22 0:6 /dm-7 /pods/a ro - devtmpfs udev rw,size=4096k,mode=755\n"
         "48 22 0:6 /mapper/vg1-raw /pods/b rw - devtmpfs udev rw,size=4096k,mode=755\n";
  const std::vector<std::string> expected{"device node mounted at /pods/a",
                                          "device node mounted at /pods/b",
                                          "device node mounted at /pods/with space"};
  CHECK(node_mounts(253, 7, fake.sources) == expected);
  CHECK(who_uses(253, 7, fake.sources) == expected);
  CHECK(node_mounts(253, 70, fake.sources)->empty());
}

TEST_CASE("who_uses finds nothing without sources", "[mount]") {
  const FakeSources fake;
  CHECK(who_uses(253, 3, fake.sources)->empty());
  CHECK(node_mounts(253, 3, fake.sources)->empty());
}

TEST_CASE("an error for an unreadable source contains its path", "[mount]") {
  const FakeSources fake;
  std::filesystem::create_directory(fake.sources.mountinfo);
  const auto users = who_uses(253, 3, fake.sources);
  REQUIRE_FALSE(users);
  CHECK(users.error() == Error{Code::kInternal, "cannot read " + fake.sources.mountinfo});
  CHECK(node_mounts(253, 3, fake.sources) == std::unexpected(users.error()));
}

TEST_CASE("the tables of the real machine are parsed", "[mount]") {
  CHECK(who_uses(4095, 1048575));
}
