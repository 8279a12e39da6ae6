#include <catch2/catch.hpp>

#include "lvmd/mounts/launcher/mounters.hpp"

using namespace lvmd;
using namespace lvmd::mounts;
using namespace lvmd::supervisor;

TEST_CASE("at most 16 mounters run, collected ones make room [P-MOUNT-14]", "[supervisor]") {
  // Each ends at once, and counts until it is collected.
  auto program = ProgramFile::open("/bin/true");
  REQUIRE(program);
  Mounters mounters{std::move(*program)};
  internal::MountJob job;
  job.mutable_list();
  const auto is_full = [&] {
    const auto started = mounters.start(job);
    return !started && started.error().reason == "TOO_MANY_MOUNTERS";
  };
  for (std::size_t i = 0; i < kMaxMounters; ++i) CHECK_FALSE(is_full());
  REQUIRE(is_full());
  while (is_full()) mounters.reap();
}
