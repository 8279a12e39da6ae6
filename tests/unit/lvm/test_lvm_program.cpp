#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/lvm/lvm_program.hpp"

using namespace lvmd;
using namespace lvmd::lvm;

namespace {

using Lines = std::vector<std::string>;

// Runs "vgs vg0" with a shell script as the lvm program.
Result<LvmOutcome> run(const std::string& script) {
  LvmProgram program{{"/bin/sh", "-c", script, "lvm"}};
  LvmCommand command{"vgs"};
  command.operand("vg0");
  return program.run(command);
}

}  // namespace

TEST_CASE("the program gets the prefix, the command's arguments and lvmd's settings [P-EXT-1]",
          "[lvm]") {
  const auto outcome = run(R"(printf '%s\n' "$0" "$@")");
  REQUIRE(outcome);
  CHECK(outcome->succeeded());
  CHECK(outcome->printed ==
        Lines{"lvm", "vgs", "vg0", "--config", "global{wait_for_locks=0}activation{monitoring=1}"});
  CHECK(outcome->errors.empty());
}

TEST_CASE("arguments reach the program unchanged, without a shell [P-EXT-1]", "[lvm]") {
  LvmProgram program{{"/bin/echo"}};
  LvmCommand command{"lvcreate"};
  command.assignment("--addtag", "$(id);*");
  const auto outcome = program.run(command);
  REQUIRE(outcome);
  CHECK_THAT(outcome->printed.at(0), Catch::StartsWith("lvcreate --addtag=$(id);* --config "));
}

TEST_CASE("the lvm program wipes a new volume itself, before udev scans it [P-CREATE-9, P-EXT-1]",
          "[lvm]") {
  LvmProgram program{{"/bin/echo"}};
  LvmCommand command{"lvcreate"};
  command.wiped_by_caller().operand("vg0");
  const auto outcome = program.run(command);
  REQUIRE(outcome);
  CHECK_THAT(outcome->printed.at(0), Catch::StartsWith("lvcreate -W y -Z y vg0 --config "));
  CHECK_THAT(outcome->printed.at(0), !Catch::Contains("udevsync"));
}

TEST_CASE("output and errors are separate, warnings count as output [P-EXT-1]", "[lvm]") {
  const auto outcome =
      run("echo '  /dev/sdb'; echo; echo '  WARNING: old' >&2; echo '  no space' >&2; exit 5");
  REQUIRE(outcome);
  CHECK(outcome->exit_code == 5);
  CHECK(outcome->printed == Lines{"/dev/sdb", "WARNING: old"});
  CHECK(outcome->errors == Lines{"no space"});
  CHECK(outcome->explanation() == "no space");
}

TEST_CASE("output may be larger than a pipe's buffer [P-EXT-1]", "[lvm]") {
  const auto outcome = run("seq 100000; seq 100000 >&2");
  REQUIRE(outcome);
  CHECK(outcome->printed.size() == 100'000);
  CHECK(outcome->errors.back() == "100000");
}

TEST_CASE("the program has standard descriptors only, an empty stdin and the C locale [P-EXT-1]",
          "[lvm]") {
  const auto outcome = run("ls /proc/self/fd; wc -c; echo $LC_ALL");
  REQUIRE(outcome);
  // 3 is the directory that ls reads.
  CHECK(outcome->printed == Lines{"0", "1", "2", "3", "0", "C"});
}

TEST_CASE("a program that a signal terminates has failed [P-EXT-1]", "[lvm]") {
  const auto outcome = run("kill -KILL $$");
  REQUIRE(outcome);
  CHECK(outcome->exit_code == 137);
  CHECK(outcome->explanation() == "killed by signal 9");
}

TEST_CASE("if the program cannot be started, the error names it [P-EXT-1]", "[lvm]") {
  LvmProgram program{{"/nowhere/lvm"}};
  const auto outcome = program.run(LvmCommand{"vgs"});
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kInternal);
  CHECK_THAT(outcome.error().message, Catch::Contains("start /nowhere/lvm"));
}

TEST_CASE("a command that the LVM library would refuse is refused for the program too [P-NAME-6]",
          "[lvm]") {
  LvmProgram program{{"/bin/true"}};
  LvmCommand command{"lvcreate"};
  for (int i = 0; i < 64; ++i) command.flag("-q");
  const auto outcome = program.run(command);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kInvalidArgument);
}
