#include <catch2/catch.hpp>

#include "lvmd/mover/volume_mount.hpp"

using namespace lvmd;
using namespace lvmd::mover;

TEST_CASE("a mover reads as a mount would, and only a snapshot shares a UUID [P-MOUNT-6]",
          "[mover]") {
  Volume volume;
  const auto data = [&volume] { return mount::mount_arguments(reading_of(volume, "xfs")).data; };
  CHECK(reading_of(volume, "xfs").read_only);
  CHECK(data() == "norecovery");
  volume.snapshot = true;
  CHECK(data() == "norecovery,nouuid");
}
