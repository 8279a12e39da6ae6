#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/mounts/table/mount_table.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts;

namespace {

constexpr const char* kMountinfo =
    "22 1 253:7 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
    "39 22 0:23 / /srv rw - tmpfs tmpfs rw,size=1024k\n"
    "40 39 253:3 / /srv/b rw,nosuid,nodev,relatime shared:2 - xfs /dev/mapper/vg-b "
    "rw,attr2,noquota\n"
    "41 39 253:3 / /srv/a\\040b ro,nosuid - xfs /dev/mapper/vg-b rw\n"
    "42 39 0:45 / /srv/c rw - btrfs /dev/mapper/vg-c ro,space_cache=v2,subvol=/\n"
    "43 22 253:9 / /srvx rw - ext4 /dev/mapper/vg-x rw\n"
    "44 40 253:4 / /srv/b rw - ext4 /dev/mapper/vg-d rw\n";

std::vector<MountPoint> table() {
  const ScratchTree directory;
  const auto mounts = read_mount_table(directory.write("mountinfo", kMountinfo),
                                       [](const std::string& path) -> std::optional<DeviceNumber> {
                                         if (path == "/dev/mapper/vg-c")
                                           return DeviceNumber{253, 12};
                                         return std::nullopt;
                                       });
  REQUIRE(mounts);
  return *mounts;
}

}  // namespace

TEST_CASE("mounts_below returns only mounts below the directory, sorted [P-MOUNT-12]", "[mount]") {
  const auto below = mounts_below(table(), "/srv");
  REQUIRE(below.size() == 4);
  CHECK(below[0].target == "/srv/a b");
  CHECK(below[1].target == "/srv/b");
  CHECK(below[1].device == DeviceNumber{253, 3});
  CHECK(below[2].target == "/srv/b");
  CHECK(below[2].device == DeviceNumber{253, 4});
  CHECK(below[3].target == "/srv/c");
  CHECK(mounts_below(table(), "/srv/b").empty());
}

TEST_CASE("the last mount at a target is the visible one", "[mount]") {
  const auto mounts = table();
  REQUIRE(mounted_at(mounts, "/srv/b") != nullptr);
  CHECK(mounted_at(mounts, "/srv/b")->device == DeviceNumber{253, 4});
  CHECK(mounted_at(mounts, "/srv/none") == nullptr);
  CHECK(mounted_at(mounts, "/srv/") == nullptr);
}

TEST_CASE("a mount has each option once, and the read-only flag", "[mount]") {
  const auto mounts = table();
  const MountPoint& bind = *mounted_at(mounts, "/srv/a b");
  CHECK(bind.read_only);
  CHECK(bind.options == std::vector<std::string>{"ro", "nosuid", "rw"});
  CHECK(mounted_at(mounts, "/srv/c")->read_only);
  CHECK_FALSE(mounted_at(mounts, "/")->read_only);
  CHECK(mounted_at(mounts, "/srv")->options == std::vector<std::string>{"rw", "size=1024k"});
}

TEST_CASE("a file system with its own number has the device of its source", "[mount]") {
  const auto mounts = table();
  CHECK(mounted_at(mounts, "/srv/c")->device == DeviceNumber{253, 12});
  CHECK(mounted_at(mounts, "/srv/c")->file_system == DeviceNumber{0, 45});
  CHECK_FALSE(mounted_at(mounts, "/srv")->device);
}

TEST_CASE("a mount has the kernel's name of its device", "[mount]") {
  const auto mounts = table();
  CHECK(mounted_at(mounts, "/srv/c")->source == "/dev/mapper/vg-c");
  CHECK(mounted_at(mounts, "/srv")->source == "tmpfs");
}

TEST_CASE("only a source below /dev is accessed [P-CSI-43]", "[mount]") {
  const ScratchTree directory;
  const std::string table = directory.write("mountinfo",
                                            "40 1 0:50 / /srv/a rw - fuse.bindfs /net/hangs rw\n"
                                            "41 1 0:51 / /srv/b rw - btrfs /dev/mapper/vg-c rw\n"
                                            "42 1 0:52 / /srv/c rw - fuse /device rw\n");
  std::vector<std::string> accessed;
  REQUIRE(read_mount_table(table, [&accessed](const std::string& path) {
    accessed.push_back(path);
    return std::nullopt;
  }));
  CHECK(accessed == std::vector<std::string>{"/dev/mapper/vg-c"});
}

TEST_CASE("a bind mount has the part of the file system that it shows", "[mount]") {
  const ScratchTree directory;
  const auto mounts = read_mount_table(
      directory.write("mountinfo",
                      "22 1 253:7 / / rw - ext4 /dev/vda1 rw\n"
                      "40 22 253:7 /srv/a\\040b /srv/c rw - ext4 /dev/vda1 rw\n"
                      "41 22 0:6 /dm-7 /run/device rw - devtmpfs udev rw\n"
                      "42 22 0:6 /dm-8//deleted /run/old rw - devtmpfs udev rw\n"));
  REQUIRE(mounts);
  CHECK(mounted_at(*mounts, "/")->root == "/");
  CHECK(mounted_at(*mounts, "/srv/c")->root == "/srv/a b");
  CHECK(mounted_at(*mounts, "/run/device")->root == "/dm-7");
  CHECK(mounted_at(*mounts, "/run/old")->root == "/dm-8//deleted");
}

TEST_CASE("an unreadable mount table is named, and the real one is parsed", "[mount]") {
  const auto missing = read_mount_table("/nonexistent/mountinfo");
  REQUIRE_FALSE(missing);
  CHECK(missing.error() == Error{Code::kInternal, "cannot read /nonexistent/mountinfo"});
  const auto own = read_mount_table();
  REQUIRE(own);
  CHECK(mounted_at(*own, "/proc") != nullptr);
}

// The system tests of mounts fail if it does not notice a change.
TEST_CASE("a known mount table is read, and named if that fails", "[mount]") {
  KnownMountTable missing{"/nonexistent/mountinfo"};
  const auto unread = missing.read();
  REQUIRE_FALSE(unread);
  CHECK_THAT(unread.error().message, Catch::Contains("/nonexistent/mountinfo"));
  KnownMountTable known;
  const auto first = known.read();
  REQUIRE(first);
  CHECK(**first == *read_mount_table());
}
