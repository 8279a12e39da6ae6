#include <catch2/catch.hpp>

#include "lvmd/mounts/table/mounted_volume.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts;

namespace {

// A sysfs with the device 253:3 of the volume vg-a/data.
class Sysfs {
 public:
  Sysfs() {
    static_cast<void>(tree_.write("dev/block/253:3/dm/name", "vg--a-data\n"));
    static_cast<void>(tree_.write("block/dm-3/dm/name", "vg--a-data\n"));
    static_cast<void>(tree_.write("dev/block/253:4/dm/name", "vg--a-data-real\n"));
  }

  [[nodiscard]] std::optional<model::VolumeName> volume(const MountPoint& mount) const {
    return volume_of(mount, tree_.path);
  }

 private:
  ScratchTree tree_;
};

const model::VolumeName kData{.volume_group = "vg-a", .volume = "data"};

}  // namespace

TEST_CASE("a mounted file system is of the volume with its device number", "[mount]") {
  const Sysfs sysfs;
  CHECK(sysfs.volume({.file_system = {253, 3}, .fs_type = "ext4"}) == kData);
  CHECK_FALSE(sysfs.volume({.file_system = {253, 4}, .fs_type = "ext4"}));
  CHECK_FALSE(sysfs.volume({.file_system = {253, 9}, .fs_type = "ext4"}));
}

TEST_CASE("a file system with its own number is of the volume that its source names", "[mount]") {
  const Sysfs sysfs;
  const auto with_source = [&](const char* source) {
    return sysfs.volume({.file_system = {0, 45}, .fs_type = "btrfs", .source = source});
  };
  CHECK(with_source("/dev/mapper/vg--a-data") == kData);
  CHECK(with_source("/dev/dm-3") == kData);
  CHECK(with_source("/dev/vg-a/data") == kData);
  CHECK_FALSE(with_source("/dev/dm-9"));
  CHECK_FALSE(with_source("/dev/dm-3/../dm-3"));
  CHECK_FALSE(with_source("/dev/mapper/data"));
  CHECK_FALSE(with_source("/dev/vda1"));
  CHECK_FALSE(with_source("/dev/vg-a/"));
  CHECK_FALSE(with_source("/dev/disk/by-id/data"));
  CHECK_FALSE(with_source("tmpfs"));
  CHECK_FALSE(with_source(""));
}

TEST_CASE("a device node that is mounted on a file is of the volume with this node", "[mount]") {
  const Sysfs sysfs;
  const auto with_root = [&](const char* root) {
    return sysfs.volume(
        {.file_system = {0, 5}, .fs_type = "devtmpfs", .root = root, .source = "udev"});
  };
  CHECK(with_root("/dm-3") == kData);
  CHECK(with_root("/mapper/vg--a-data") == kData);
  CHECK_FALSE(with_root("/dm-3//deleted"));
  CHECK_FALSE(with_root("/mapper/vg--a-data//deleted"));
  CHECK_FALSE(with_root("/vda"));
  CHECK_FALSE(with_root("/"));
}
