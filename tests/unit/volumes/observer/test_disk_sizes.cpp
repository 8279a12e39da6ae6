#include <sys/sysmacros.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "lvmd/volumes/observer/disk_sizes.hpp"
#include "tests/unit/metadata/pv_image.hpp"

using lvmd::volumes::observer::DiskSizes;
using Change = DiskSizes::Change;
namespace fs = std::filesystem;

namespace {

class Sysfs {
 public:
  void set_size(const std::string& number, int sectors) const {
    fs::create_directories(disk(number));
    std::ofstream{disk(number) / "size"} << sectors << "\n";
  }
  void set_uuid(const std::string& number, const std::string& uuid) const {
    fs::create_directories(disk(number) / "dm");
    std::ofstream{disk(number) / "dm/uuid"} << uuid << "\n";
  }
  void remove(const std::string& number) const { fs::remove_all(disk(number)); }
  [[nodiscard]] fs::path path() const { return folder_.file("sys"); }

 private:
  [[nodiscard]] fs::path disk(const std::string& number) const {
    return path() / "dev/block" / number;
  }

  lvmd::metadata::test::ScratchFolder folder_;
};

}  // namespace

TEST_CASE("a disk appears once, appears again with a different size, and disappears [P-STATE-1]",
          "[observer]") {
  const Sysfs sysfs;
  sysfs.set_size("8:0", 2048);
  sysfs.set_size("7:0", 0);
  DiskSizes disks{sysfs.path()};
  CHECK(disks.update(makedev(8, 0)) == Change::kNone);
  // A loop device without a file, with a file, with another file, and without a file again.
  const dev_t loop = makedev(7, 0);
  CHECK(disks.update(loop) == Change::kNone);
  sysfs.set_size("7:0", 512);
  CHECK(disks.update(loop) == Change::kAppeared);
  CHECK(disks.update(loop) == Change::kNone);
  sysfs.set_size("7:0", 1024);
  CHECK(disks.update(loop) == Change::kAppeared);
  sysfs.set_size("7:0", 0);
  CHECK(disks.update(loop) == Change::kGone);
  CHECK(disks.update(loop) == Change::kNone);
  // A disk that is plugged in and unplugged.
  sysfs.set_size("8:16", 4096);
  CHECK(disks.update(makedev(8, 16)) == Change::kAppeared);
  sysfs.remove("8:16");
  CHECK(disks.update(makedev(8, 16)) == Change::kGone);
}

TEST_CASE("LVM volumes are not disks, other mapped devices are [P-STATE-1]", "[observer]") {
  const Sysfs sysfs;
  DiskSizes disks{sysfs.path()};
  sysfs.set_size("254:0", 2048);
  sysfs.set_uuid("254:0", "LVM-abcdef");
  CHECK(disks.update(makedev(254, 0)) == Change::kNone);
  sysfs.remove("254:0");
  CHECK(disks.update(makedev(254, 0)) == Change::kNone);
  sysfs.set_size("254:1", 2048);
  sysfs.set_uuid("254:1", "CRYPT-LUKS2-abcdef");
  CHECK(disks.update(makedev(254, 1)) == Change::kAppeared);
  sysfs.remove("254:1");
  CHECK(disks.update(makedev(254, 1)) == Change::kGone);
}
