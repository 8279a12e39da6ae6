// What a worker does at its start about volumes that are not as they were made.
#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "tests/contract/scratch.hpp"
#include "tests/system/served_group.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
namespace fs = std::filesystem;

namespace {

constexpr const char* kMark = "/run/lvmd/vg_thick.activated";

// "active", or "" for a volume that is not.
std::string activity(const std::string& name) {
  const std::string output =
      output_of("lvs --noheadings -o lv_active vg_thick/" + name + " | tr -d ' '");
  return output == "active" ? output : "";
}

// lvmd is stopped, `meddle`, a command, runs, and lvmd is started. Gives the time before the start.
std::string restart_around(const std::string& meddle) {
  must("systemctl stop lvmd.service");
  must(meddle);
  std::string begin = journal_cursor();
  must("systemctl start lvmd.service");
  return begin;
}

bool logs(const std::string& since, const std::string& text) {
  return eventually([&] { return journal_since(since).contains(text); }, kStepLimit);
}

}  // namespace

TEST_CASE("volumes are activated once after a boot, and later left as they are [P-REPAIR-2]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  // As after a boot: /run is empty.
  restart_around("lvchange -q -an vg_thick/" + name + " && rm -f " + kMark);
  CHECK(eventually([&] { return activity(name) == "active"; }, kStepLimit));
  REQUIRE(eventually([] { return fs::exists(kMark); }, kStepLimit));

  const std::string begin = restart_around("lvchange -q -an vg_thick/" + name);
  CHECK(logs(begin, "each of these volumes is not active: " + name));
  CHECK(activity(name).empty());
  Client client{kSocket};
  CHECK(listed(client, "thick", name).dev_major() == 0);
  must("lvchange -q -ay vg_thick/" + name);
}

TEST_CASE("what an administrator changed is told, and what hangs is resumed [P-REPAIR-1]",
          "[system]") {
  Scratch scratch;
  const std::string suspended = scratch.name("thick");
  const std::string shrunk = scratch.name("thick");
  const std::string unlinked = scratch.name("thick");
  const std::string source = scratch.name("thin");
  const std::string snapshot = scratch.name("thin");
  for (const std::string& name : {suspended, shrunk, unlinked})
    REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  REQUIRE(scratch.client.create(create_request("thin", source, 8 * kMiB)).ok());
  REQUIRE(scratch.client.snapshot(snapshot_request("thin", snapshot, source, "ro")).ok());
  const std::string device = "/dev/vg_thick/" + shrunk;
  const std::string begin = restart_around(
      "lvchange -q -prw vg_thick/" + snapshot + " && dmsetup suspend /dev/vg_thick/" + suspended +
      " && rm /dev/vg_thick/" + unlinked + " && dmsetup table " + device +
      " | sed 's/^0 16384 /0 8192 /' | dmsetup load " + device + " && dmsetup suspend " + device +
      " && dmsetup resume " + device);
  CHECK(eventually(
      [&] {
        return output_of("dmsetup info -c --noheadings -o suspended /dev/vg_thick/" + suspended) ==
               "Active";
      },
      kStepLimit));
  CHECK(logs(begin, "vg_thick/" + suspended + " is suspended: repaired"));
  CHECK(eventually([&] { return fs::exists("/dev/vg_thick/" + unlinked); },
                   std::chrono::seconds{60}));
  CHECK(logs(begin,
             "each of these volumes is writable although it was created read-only: " + snapshot));
  CHECK(output_of("lvs --noheadings -o lv_permissions vg_thick/" + snapshot + " | tr -d ' '") ==
        "writeable");
  CHECK(logs(begin, "has different sizes in the kernel and in LVM's metadata: " + shrunk));
  CHECK(output_of("blockdev --getsz " + device) == "8192");
}

TEST_CASE("a group is there before its volumes are activated, and serves meanwhile [P-REPAIR-1]",
          "[system]") {
  constexpr int kVolumes = 40;
  Scratch scratch;
  must(
      fmt::format("for i in $(seq {}); do lvcreate -q -y -an -Wn -Zn -L 4M -n hand_boot$i "
                  "--addtag lvmd.v1:class=thick --addtag lvmd.v1:size=4194304 vg_thick; done",
                  kVolumes));
  const auto active = [] {
    return std::stoi(
        output_of("lvs --noheadings -o lv_active -S 'lv_name=~^hand_boot' vg_thick | grep -cw "
                  "active || true"));
  };
  restart_around(std::string{"rm -f "} + kMark);
  CHECK(active() < kVolumes);
  Client client{kSocket};
  CHECK(client.free_bytes("thick").ok());
  CHECK(client.create(create_request("thick", scratch.name("thick"), 8 * kMiB)).ok());
  // Still not done: the call was served in between.
  CHECK(active() < kVolumes);
  CHECK(eventually([&] { return active() == kVolumes; }, std::chrono::seconds{120}));
  CHECK(eventually([] { return fs::exists(kMark); }, kStepLimit));
  must("lvremove -q -f -y -S 'lv_name=~^hand_boot' vg_thick");
}
