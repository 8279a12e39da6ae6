#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <utility>
#include <vector>

#include "lvmd/mounts/launcher/mounters.hpp"

using namespace lvmd;
using namespace lvmd::mounts;
using namespace lvmd::supervisor;

namespace {

Mounters mounters_of(const char* path) {
  auto program = ProgramFile::open(path);
  REQUIRE(program);
  return Mounters{std::move(*program)};
}

// The children of this thread that were not reaped.
std::vector<pid_t> children() {
  std::ifstream file{"/proc/thread-self/children"};
  std::vector<pid_t> pids;
  for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  return pids;
}

}  // namespace

TEST_CASE("at most 16 mounters run, collected ones make room [P-MOUNT-14]", "[supervisor]") {
  // Each ends at once, and counts until it is collected.
  Mounters mounters = mounters_of("/bin/true");
  internal::MountJob job;
  job.mutable_list();
  const auto is_full = [&] {
    const auto started = mounters.start(job);
    return !started && started.error().reason == "TOO_MANY_MOUNTERS";
  };
  for (std::size_t i = 0; i < kMaxMounters; ++i) CHECK_FALSE(is_full());
  REQUIRE(is_full());
  while (is_full()) mounters.reap();
  while (!children().empty()) mounters.reap();
}

TEST_CASE("a job goes to a mounter that waits [P-MOUNT-24]", "[supervisor]") {
  // It reads its standard input to the end before it writes.
  Mounters mounters = mounters_of("/usr/bin/sort");
  internal::MountJob job;
  job.mutable_list();
  mounters.refill();
  mounters.refill();
  const auto waiting = children();
  REQUIRE(waiting.size() == 2);
  SECTION("and needs no new one") {
    const auto first = mounters.start(job);
    const auto second = mounters.start(job);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(children() == waiting);
    mounters.refill();
    CHECK(children().size() == 4);
  }
  SECTION("or to a new one if they were killed, before or after they are reaped") {
    const bool reaped = GENERATE(false, true);
    for (const pid_t child : waiting) {
      REQUIRE(::kill(child, SIGKILL) == 0);
      siginfo_t ended{};
      REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
    }
    if (reaped) mounters.reap();
    CHECK(mounters.start(job));
    mounters.reap();
    const auto now = children();
    REQUIRE(now.size() == 1);
    CHECK(std::ranges::count(waiting, now.front()) == 0);
  }
  SECTION("until lvmd stops") {
    mounters.stop_waiting();
    while (!children().empty()) mounters.reap();
  }
  for (const pid_t child : children()) CHECK(::kill(child, SIGKILL) == 0);
  mounters.stop_waiting();
  while (!children().empty()) mounters.reap();
}
