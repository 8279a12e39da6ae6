#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/mounts/mounter/volume_mounts.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;

namespace {

MountBelow mount_at(const std::string& target, std::uint32_t minor) {
  return {.point = {.target = target, .device = mounts::DeviceNumber{253, minor}, .fs_type = "xfs"},
          .target = target};
}

}  // namespace

TEST_CASE("the mounts of a volume are those that no later mount hides [P-MOUNT-16]", "[mounter]") {
  auto other = mount_at("/srv/e", 1);
  other.point.device.reset();
  const std::vector<MountBelow> all{mount_at("/srv/a", 1),
                                    mount_at("/srv/b", 2),
                                    mount_at("/srv/c", 1),
                                    mount_at("/srv/c", 2),
                                    mount_at("/srv/d", 2),
                                    mount_at("/srv/d", 1),
                                    other};
  const auto found = mounts_of(all, {253, 1});
  REQUIRE(found.size() == 2);
  CHECK(found[0].target == "/srv/a");
  CHECK(found[1].target == "/srv/d");
  CHECK(mounts_of(all, {253, 3}).empty());
  CHECK(mounts_of({}, {253, 1}).empty());
}
