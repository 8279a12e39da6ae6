#include <catch2/catch.hpp>

#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::system_tests;

namespace {

std::string namespace_of(int pid, const std::string& kind) {
  return output_of("readlink /proc/" + std::to_string(pid) + "/ns/" + kind);
}

}  // namespace

TEST_CASE("the server has no privilege [E-SAFE-1]", "[system]") {
  const int pid = pid_of("lvmd-server");
  REQUIRE(pid != 0);
  const std::string uid = output_of("id -u lvmd-server");
  REQUIRE(uid != "0");
  CHECK(status_of(pid, "Uid") == uid + "\t" + uid + "\t" + uid + "\t" + uid);
  CHECK(status_of(pid, "Groups").empty());
  for (const char* const set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    CAPTURE(set);
    CHECK(status_of(pid, set) == "0000000000000000");
  }
  CHECK(status_of(pid, "NoNewPrivs") == "1");
  CHECK(status_of(pid, "Seccomp") == "2");
}

TEST_CASE("the server sees no network, no IPC and no block device of the host [E-SAFE-1]",
          "[system]") {
  const int pid = pid_of("lvmd-server");
  REQUIRE(pid != 0);
  for (const char* const kind : {"net", "ipc", "mnt"}) {
    CAPTURE(kind);
    CHECK(namespace_of(pid, kind) != namespace_of(1, kind));
  }
  const std::string devices =
      output_of("nsenter -t " + std::to_string(pid) + " -m find /dev -type b");
  CAPTURE(devices);
  CHECK(devices.empty());
  // Each descriptor that leads to a file: none is a block device.
  CHECK(shell("for fd in /proc/" + std::to_string(pid) +
              "/fd/*; do test -b $fd && exit 1; done; true")
            .exit_code == 0);
}

TEST_CASE("the observer keeps what reading needs [E-SAFE-1]", "[system]") {
  const int pid = pid_of("lvmd-observer vg_thick");
  REQUIRE(pid != 0);
  CHECK(status_of(pid, "CapEff") == status_of(pid, "CapBnd"));
  CHECK(status_of(pid, "NoNewPrivs") == "1");
  // CAP_NET_ADMIN, CAP_SYS_PTRACE, CAP_SYS_MODULE: bits 12, 19, 16.
  const auto effective = std::stoull(status_of(pid, "CapEff"), nullptr, 16);
  CHECK((effective & ((1ULL << 12U) | (1ULL << 19U) | (1ULL << 16U))) == 0);
}

TEST_CASE("without memory the server goes first and a worker last [P-RUN-21]", "[system]") {
  const auto score_of = [](int pid) {
    return output_of("cat /proc/" + std::to_string(pid) + "/oom_score_adj");
  };
  CHECK(score_of(pid_of("lvmd-server")) == "500");
  CHECK(score_of(pid_of("lvmd-worker vg_thick")) == "-900");
  CHECK(score_of(std::stoi(output_of("systemctl show -P MainPID lvmd.service"))) == "-900");
}

TEST_CASE("the kernel gives lvmd's processes no huge pages [P-RUN-29]", "[system]") {
  // khugepaged would use the memory again that they have returned.
  REQUIRE(output_of("cat /sys/kernel/mm/transparent_hugepage/enabled") == "[always] madvise never");
  CHECK(status_of(std::stoi(output_of("systemctl show -P MainPID lvmd.service")), "THP_enabled") ==
        "0");
  for (const char* const program :
       {"lvmd-server", "lvmd-observer vg_thick", "lvmd-worker vg_thick"}) {
    CAPTURE(program);
    CHECK(status_of(pid_of(program), "THP_enabled") == "0");
  }
}

TEST_CASE("lvmd has no higher priority than other services [P-RUN-28]", "[system]") {
  const auto nice_of = [](const std::string& program) {
    return output_of("ps -o ni= -p " + std::to_string(pid_of(program)) + " | xargs");
  };
  CHECK(nice_of("lvmd-worker vg_thick") == "0");
  CHECK(nice_of("lvmd-server") == "0");
}

TEST_CASE("the server's memory has a limit, and lvmd outlives it [P-SOCK-25]", "[system]") {
  const int pid = pid_of("lvmd-server");
  CHECK(output_of("awk '/Max data size/ {print $4, $5}' /proc/" + std::to_string(pid) +
                  "/limits") == "1073741824 1073741824");
}

TEST_CASE("what credentials pass through leaves no core and is nobody's to read [P-XFER-5]",
          "[system]") {
  const int supervisor =
      std::stoi(output_of("systemctl show --value --property MainPID lvmd.service"));
  for (const int pid : {supervisor, pid_of("lvmd-server")}) {
    CAPTURE(pid);
    REQUIRE(pid != 0);
    const std::string folder = "/proc/" + std::to_string(pid);
    // A process that isn't dumpable has its files in root's name, whatever user it is.
    CHECK(output_of("stat -c %u " + folder + "/environ") == "0");
    CHECK(output_of("awk '/Max core file size/ {print $5, $6}' " + folder + "/limits") == "0 0");
  }
}

TEST_CASE("the records of transfers are the server's to read, and nobody's else [P-XFER-3]",
          "[system]") {
  CHECK(output_of("stat -c '%a %U %G' /run/lvmd/transfers") == "750 root lvmd-server");
  CHECK(shell("setpriv --reuid lvmd-server --regid lvmd-server --clear-groups "
              "ls /run/lvmd/transfers")
            .exit_code == 0);
  CHECK(shell("setpriv --reuid nobody --clear-groups ls /run/lvmd/transfers").exit_code != 0);
}

TEST_CASE("systemd's opinion of the unit", "[system]") {
  const std::string report = output_of("systemd-analyze security --no-pager lvmd.service");
  WARN(report);
  CHECK(report.find("Overall exposure level") != std::string::npos);
}
