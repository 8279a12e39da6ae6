#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/state/pool_monitoring.hpp"
#include "tests/unit/metadata/pv_image.hpp"

using namespace lvmd;
using namespace lvmd::state;
using namespace std::chrono_literals;

namespace {

// A replacement for LVM's program.
struct Lvm {
  explicit Lvm(const std::string& script) {
    std::ofstream{path} << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Result<std::vector<std::string>> ask(std::chrono::milliseconds limit) const {
    return unmonitored_pools({path}, "vg0", {"/dev/sdb"}, limit);
  }

  metadata::test::ScratchFolder folder;
  std::string path = folder.file("lvm");
};

}  // namespace

TEST_CASE("active pools that dmeventd does not monitor are listed [P-HEALTH-9]", "[state]") {
  CHECK(parse_monitoring("  active          pool2 not monitored\n"
                         "  active          pool0 monitored    \n"
                         "                  pool3 not monitored\n"
                         "  active          pool1 not monitored\n"
                         "  WARNING: not monitored, something\n") ==
        std::vector<std::string>{"pool1", "pool2"});
}

TEST_CASE("the monitoring query uses only the devices of the group [P-RUN-8]", "[state]") {
  const auto pools = Lvm{"echo \"  active $(echo $* | tr ' ' ,) not monitored\""}.ask(10s);
  REQUIRE(pools);
  REQUIRE(pools->size() == 1);
  CHECK_THAT(pools->front(),
             Catch::StartsWith("lvs,--noheadings,-o,lv_active,lv_name,seg_monitor,--select,"
                               "segtype=thin-pool,--config,activation{monitoring=1}") &&
                 Catch::Contains(R"(filter=["a|^/dev/sdb$|","r|.*|"])") &&
                 Catch::EndsWith(",--nolocking,vg0"));
}

TEST_CASE("a failed monitoring query is an error with LVM's message", "[state]") {
  const auto refused = Lvm{"echo 'no such group' >&2; exit 5"}.ask(10s);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("no such group"));
  const auto late = Lvm{"exec sleep 600"}.ask(50ms);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == Code::kDeadlineExceeded);
}

TEST_CASE("dmeventd listens while a process reads its FIFO [P-HEALTH-9]", "[state]") {
  const metadata::test::ScratchFolder folder;
  const std::string fifo = folder.file("client");
  CHECK_FALSE(dmeventd_listens(fifo));
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  CHECK_FALSE(dmeventd_listens(fifo));
  const UniqueFd reader{::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  CHECK(dmeventd_listens(fifo));
}
