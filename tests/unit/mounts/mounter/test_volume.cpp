#include <catch2/catch.hpp>
#include <string>

#include "lvmd/mounts/mounter/volume.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;

namespace {

const std::string kUuid = "LVM-" + std::string(32, 'g') + std::string(32, 'v');

}  // namespace

TEST_CASE("the kernel's name and uuid identify the volume of a device [P-MOUNT-3]", "[mounter]") {
  const mounts::ScratchTree sys;
  const auto device = [&sys](const std::string& number, const std::string& name,
                             const std::string& uuid) {
    static_cast<void>(sys.write(number + "/dm/name", name + "\n"));
    static_cast<void>(sys.write(number + "/dm/uuid", uuid + "\n"));
  };
  device("253:1", "vg--a-pvc--1", kUuid);
  device("253:2", "vg--a-pvc--1-real", kUuid + "-real");
  device("253:3", "luks-x", "CRYPT-LUKS2-x");
  device("253:4", "vg--a-pool", kUuid + "-tpool");
  CHECK(volume_of({253, 1}, sys.path) == model::VolumeName{"vg-a", "pvc-1"});
  for (const std::uint32_t minor : {2U, 3U, 4U, 5U}) {
    CAPTURE(minor);
    CHECK_FALSE(volume_of({253, minor}, sys.path));
  }
}

TEST_CASE("a device that does not match the job is not opened [P-MOUNT-3]", "[mounter]") {
  internal::VolumeDevice device;
  device.set_volume_group("no_such_vg");
  device.set_name("pvc-1");
  device.set_major(4095);
  device.set_minor(7);
  const auto opened = open_volume(device);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == Code::kFailedPrecondition);
  CHECK(opened.error().reason == "VOLUME_INACTIVE");
  CHECK(opened.error().message.find("volume no_such_vg/pvc-1 is not active as device 4095:7") == 0);
}
