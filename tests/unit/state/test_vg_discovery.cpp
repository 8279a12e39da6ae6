#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "lvmd/state/vg_discovery.hpp"
#include "tests/unit/metadata/pv_image.hpp"

using namespace lvmd;
using namespace lvmd::state;
using namespace std::chrono_literals;

namespace {

// A replacement for LVM's program.
class AskedLvm {
 public:
  explicit AskedLvm(const std::string& script) {
    std::ofstream{path()} << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Result<model::VgAccess> ask(std::chrono::milliseconds limit) const {
    return VgDiscovery{"vg0", {path()}, DeviceProbe{no_devices()}}.ask(limit);
  }

 private:
  [[nodiscard]] std::string path() const { return folder_.file("lvm"); }
  [[nodiscard]] std::string no_devices() const {
    std::filesystem::create_directory(folder_.file("none"));
    return folder_.file("none");
  }
  metadata::test::ScratchFolder folder_;
};

}  // namespace

TEST_CASE("one query returns devices and system id", "[state]") {
  const auto access =
      parse_access({.out = "  /dev/vdc   id-c node-1.example \n  /dev/vdb   id-b node-1.example \n"
                           "  [unknown]  id-a node-1.example \n",
                    .errors = "  WARNING: something"},
                   "vg0");
  REQUIRE(access);
  CHECK(access->devices == std::vector<std::string>{"/dev/vdb", "/dev/vdc"});
  CHECK(access->system_id == "node-1.example");
}

TEST_CASE("a group without a system id has none", "[state]") {
  const auto access = parse_access({.out = "  /dev/vdb   id-b         \n", .errors = {}}, "vg0");
  REQUIRE(access);
  CHECK(access->devices == std::vector<std::string>{"/dev/vdb"});
  CHECK(access->system_id.empty());
}

TEST_CASE("a group whose devices are all missing is unavailable", "[state]") {
  CHECK_FALSE(parse_access({.out = "  [unknown]  id-a \n", .errors = {}}, "vg0"));
  CHECK_FALSE(parse_access({}, "vg0"));
}

TEST_CASE("a group with two devices of the same PV id is refused [P-STATE-1]", "[state]") {
  const std::string out = "  /dev/vdb   id-b \n";
  const auto access =
      parse_access({.out = out,
                    .errors = "  WARNING: Not using device /dev/vdd for PV id-b.\n"
                              "  WARNING: PV id-b prefers device /dev/vdb because of previous "
                              "preference."},
                   "vg0");
  REQUIRE_FALSE(access);
  CHECK(access.error().code == Code::kFailedPrecondition);
  CHECK_THAT(access.error().message, Catch::Contains("/dev/vdb and /dev/vdd have the same PV id"));
  // A PV of another group.
  CHECK(parse_access({.out = out, .errors = "  WARNING: Not using device /dev/vde for PV id-e."},
                     "vg0"));
}

TEST_CASE("the query is for one group, without a lock [P-RUN-10]", "[state]") {
  const auto access = AskedLvm{"echo \"  /dev/$(echo $* | tr ' ' ,)\""}.ask(10s);
  REQUIRE(access);
  CHECK(access->devices.front() ==
        "/dev/"
        "vgs,--noheadings,-o,pv_name,pv_uuid,vg_systemid,--config,global{wait_for_locks=0}"
        "devices{hints=\"none\"}backup{backup=0},--nolocking,vg0");
}

TEST_CASE("a group that LVM rejects is unavailable with LVM's reason [P-STATE-1]", "[state]") {
  const auto access =
      AskedLvm{"echo 'Cannot access VG vg0 with system ID a with local system ID b.' >&2; exit 5"}
          .ask(10s);
  REQUIRE_FALSE(access);
  CHECK(access.error().code == Code::kUnavailable);
  CHECK_THAT(access.error().message, Catch::Contains("system ID a with local system ID b"));
}

TEST_CASE("a query that does not end is stopped at the time limit [P-STATE-7]", "[state]") {
  const auto access = AskedLvm{"exec sleep 600"}.ask(50ms);
  REQUIRE_FALSE(access);
  CHECK(access.error().code == Code::kDeadlineExceeded);
  CHECK_THAT(access.error().message, Catch::Contains("volume group vg0"));
}
