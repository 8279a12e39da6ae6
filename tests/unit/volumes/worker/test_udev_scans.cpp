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
class Stage {
 public:
  Stage() {
    fs::create_directories(fs::path{scratch_.file("data")});
    for (const unsigned minor : {1U, 2U}) {
      fs::create_directories(uevent(minor).parent_path());
      put_in_database(minor, "E:ID_BUS=x\nE:DM_NOSCAN=1\n");
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
  static lvmd::model::DeviceState device(unsigned minor) { return {.major = 253, .minor = minor}; }

  UdevScans::Clock::time_point now{};

 private:
  [[nodiscard]] fs::path uevent(unsigned minor) const {
    return scratch_.file("block/253:" + std::to_string(minor) + "/uevent");
  }

  lvmd::supervisor::ScratchDirectory scratch_;
};

}  // namespace

TEST_CASE("udev scans a new volume when the worker has rested for a second [P-CREATE-9]") {
  Stage stage;
  UdevScans scans = stage.scans();
  CHECK_FALSE(scans.due());
  scans.add(Stage::device(1));
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
  Stage stage;
  UdevScans scans = stage.scans();
  scans.add(Stage::device(1));
  stage.now += 5s;
  scans.add(Stage::device(2));
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
  Stage stage;
  UdevScans scans = stage.scans();
  scans.add(Stage::device(1));
  scans.add(Stage::device(2));
  stage.put_in_database(1, "E:ID_BUS=x\nE:ID_FS_TYPE=ext4\n");
  stage.now += 1s;
  scans.work();
  CHECK_FALSE(stage.scanned(1));
  CHECK(scans.due() == 0ms);
  scans.work();
  CHECK(stage.scanned(2));
}

TEST_CASE("udev scans all volumes that are left when the worker ends [P-CREATE-9]") {
  Stage stage;
  UdevScans scans = stage.scans();
  scans.add(Stage::device(1));
  scans.add(Stage::device(2));
  scans.finish();
  CHECK(stage.scanned(1));
  CHECK(stage.scanned(2));
  CHECK_FALSE(scans.due());
}
