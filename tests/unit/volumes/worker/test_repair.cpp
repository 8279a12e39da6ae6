#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "lvmd/volumes/worker/boot_mark.hpp"
#include "lvmd/volumes/worker/repair.hpp"
#include "sample_group.hpp"

using lvmd::volumes::worker::BootMark;
using lvmd::volumes::worker::Finding;
using lvmd::volumes::worker::inspect;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;
namespace fs = std::filesystem;

namespace {

// An active volume with lvmd's tags. No device has its number, so its size in the kernel is
// unknown.
model::LogicalVolume tagged(const std::string& access_type = "") {
  auto lv = volume("tagged", model::LvRole::kPlain, 4);
  lv.tags = model::to_tags({.device_class = "ssd",
                            .size = lv.size,
                            .option_class = {},
                            .source = access_type.empty() ? "" : "source",
                            .access_type = access_type});
  lv.device = model::DeviceState{.major = 4095, .minor = 1};
  return lv;
}

// "what: command", or "what" for a finding that is only logged.
std::vector<std::string> found(const model::LogicalVolume& lv, bool activate) {
  std::vector<std::string> result;
  for (const Finding& finding : inspect(lv, "vg0/" + lv.name, activate))
    result.push_back(finding.repair ? finding.what + ": " + finding.repair->line().value()
                                    : finding.what);
  return result;
}

}  // namespace

TEST_CASE("a volume that is as it was created has no findings [P-REPAIR-1]", "[worker]") {
  CHECK(found(tagged(), true).empty());
  // A volume without lvmd's tags.
  auto other = volume("other", model::LvRole::kPlain, 4);
  other.device = model::DeviceState{.suspended = true};
  CHECK(found(other, true).empty());
  other.device.reset();
  CHECK(found(other, true).empty());
}

TEST_CASE(
    "an inactive volume is activated after a boot, and later only logged [P-REPAIR-1, P-REPAIR-2]",
    "[worker]") {
  auto lv = tagged();
  lv.device.reset();
  CHECK(found(lv, true) == std::vector<std::string>{"is not active: lvchange -y -a y vg0/tagged"});
  CHECK(found(lv, false) == std::vector<std::string>{"is not active"});
  // A device without a live table does not count as active.
  lv = tagged();
  lv.device->live_table = false;
  CHECK(found(lv, true) == std::vector<std::string>{"is not active: lvchange -y -a y vg0/tagged"});
  CHECK(found(lv, false) == std::vector<std::string>{"is not active"});
}

TEST_CASE("suspended volumes and pools are resumed [P-REPAIR-1]", "[worker]") {
  auto lv = tagged();
  lv.device->suspended = true;
  CHECK(found(lv, false) ==
        std::vector<std::string>{"is suspended: lvchange --refresh vg0/tagged"});
  auto pool = volume("pool0", model::LvRole::kThinPool, 4);
  pool.device = model::DeviceState{.suspended = true};
  CHECK(found(pool, false) ==
        std::vector<std::string>{"is suspended: lvchange --refresh vg0/pool0"});
}

TEST_CASE("a difference that may be intended is logged, not changed [P-REPAIR-2]", "[worker]") {
  CHECK(found(tagged("ro"), true) ==
        std::vector<std::string>{"is writable although it was created read-only"});
  auto lv = tagged();
  lv.size = {kExtent};
  CHECK(found(lv, true) == std::vector<std::string>{"is smaller than at its creation"});
}

TEST_CASE("a boot mark is valid for its boot and its group [P-REPAIR-1]", "[worker]") {
  const fs::path file =
      fs::temp_directory_path() / ("lvmd-boot-mark." + std::to_string(::getpid()));
  const BootMark mark{file, "boot-1"};
  CHECK_FALSE(mark.is_set("group-1"));
  REQUIRE(mark.set("group-1"));
  CHECK(mark.is_set("group-1"));
  CHECK(BootMark{file, "boot-1"}.is_set("group-1"));
  CHECK_FALSE(mark.is_set("group-2"));
  CHECK_FALSE(BootMark{file, "boot-2"}.is_set("group-1"));
  std::ofstream{file} << "boot-1 group";
  CHECK_FALSE(mark.is_set("group-1"));
  fs::remove(file);
  CHECK_FALSE(BootMark{file / "no-folder", "boot-1"}.set("group-1"));
}
