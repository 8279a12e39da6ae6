#include <catch2/catch.hpp>

#include "lvmd/transfers/mover/volume_mount.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

TEST_CASE(
    "a mover mounts read-only without recovery, and only a snapshot shares a UUID [P-MOUNT-6]",
    "[mover]") {
  Volume volume;
  const auto data = [&volume] {
    return mounts::mount_arguments(read_only_spec(volume, "xfs")).data;
  };
  CHECK(read_only_spec(volume, "xfs").read_only);
  CHECK(data() == "norecovery");
  volume.snapshot = true;
  CHECK(data() == "norecovery,nouuid");
}
