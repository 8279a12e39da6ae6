#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "lvmd/volumes/worker/udev_scans.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd::volumes::worker;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

namespace {

namespace fs = std::filesystem;

// udev's database and the kernel's devices, and a clock that the case sets.
class UdevScansStage {
 public:
  UdevScansStage() {
    fs::create_directories(fs::path{scratch_.file("data")});
    for (const unsigned minor : {1U, 2U}) {
      fs::create_directories(uevent(minor).parent_path());
      std::ofstream{uevent(minor)} << "nothing";
      put_in_database(minor, "S:vg0/lv" + std::to_string(minor) + "\nE:DM_NOSCAN=1\n");
    }
  }

  UdevScans scans() {
    return UdevScans{[this] { return now; }, scratch_.file("block"), scratch_.file("data")};
  }
  void put_in_database(unsigned minor, const std::string& content) const {
    std::ofstream{scratch_.file("data/b253:" + std::to_string(minor))} << content;
  }
  [[nodiscard]] bool scanned(unsigned minor) const {
    std::ifstream file{uevent(minor)};
    std::string word;
    file >> word;
    return word == "change";
  }
  void forget_in_database(unsigned minor) const {
    fs::remove(scratch_.file("data/b253:" + std::to_string(minor)));
  }
  void remove_device(unsigned minor) const { fs::remove_all(uevent(minor).parent_path()); }
  [[nodiscard]] bool has_device(unsigned minor) const { return fs::exists(uevent(minor)); }
  static void add(UdevScans& scans, unsigned minor) {
    scans.add({.major = 253, .minor = minor}, "/dev/vg0/lv" + std::to_string(minor));
  }

  UdevScans::Clock::time_point now{};

 private:
  [[nodiscard]] fs::path uevent(unsigned minor) const {
    return scratch_.file("block/253:" + std::to_string(minor) + "/uevent");
  }

  lvmd::supervisor::ScratchDirectory scratch_;
};

}  // namespace

TEST_CASE("udev scans a new volume when the worker has rested for a second [P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  CHECK_FALSE(scans.due());
  UdevScansStage::add(scans, 1);
  CHECK(scans.due() == 1s);
  stage.now += 999ms;
  CHECK(scans.due() == 1ms);
  scans.postpone();
  CHECK(scans.due() == 1s);
  stage.now += 1s;
  CHECK(scans.due() == 0ms);
  scans.work();
  CHECK(stage.scanned(1));
  CHECK_FALSE(scans.due());
}

TEST_CASE(
    "udev scans a new volume after ten seconds, although the worker does not rest "
    "[P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  UdevScansStage::add(scans, 1);
  stage.now += 5s;
  UdevScansStage::add(scans, 2);
  stage.now += 4500ms;
  scans.postpone();
  CHECK(scans.due() == 500ms);
  stage.now += 500ms;
  CHECK(scans.due() == 0ms);
  scans.work();
  CHECK(stage.scanned(1));
  CHECK_FALSE(stage.scanned(2));
  CHECK(scans.due() == 500ms);
}

TEST_CASE("udev scans no volume again that it has scanned since [P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  UdevScansStage::add(scans, 1);
  UdevScansStage::add(scans, 2);
  stage.put_in_database(1, "S:vg0/lv1\nE:ID_FS_TYPE=ext4\n");
  stage.now += 1s;
  scans.work();
  CHECK_FALSE(stage.scanned(1));
  CHECK(scans.due() == 0ms);
  scans.work();
  CHECK(stage.scanned(2));
}

TEST_CASE("udev scans all volumes that are left when the worker ends [P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  UdevScansStage::add(scans, 1);
  UdevScansStage::add(scans, 2);
  scans.finish();
  CHECK(stage.scanned(1));
  CHECK(stage.scanned(2));
  CHECK_FALSE(scans.due());
}

TEST_CASE("udev scans a volume whose creation it has not handled yet [P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  stage.forget_in_database(1);
  // The event of the new device, which has no table yet.
  stage.put_in_database(2, "E:ID_BUS=x\n");
  UdevScansStage::add(scans, 1);
  UdevScansStage::add(scans, 2);
  scans.finish();
  CHECK(stage.scanned(1));
  CHECK(stage.scanned(2));
}

TEST_CASE("a volume that was removed causes no event [P-CREATE-9]") {
  UdevScansStage stage;
  UdevScans scans = stage.scans();
  UdevScansStage::add(scans, 1);
  stage.forget_in_database(1);
  stage.remove_device(1);
  scans.finish();
  CHECK_FALSE(stage.has_device(1));
}
