#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/mover/volume.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;
using lvmd::supervisor::ScratchDirectory;

TEST_CASE("an error for a volume without a device contains its name", "[mover]") {
  internal::VolumeDevice device;
  device.set_volume_group("vg0");
  device.set_name("pvc-1");
  device.set_major(253);
  device.set_minor(1048575);
  const auto volume = open_volume(device);
  REQUIRE_FALSE(volume);
  CHECK(volume.error().code == Code::kFailedPrecondition);
  CHECK(volume.error().message.starts_with("cannot open volume vg0/pvc-1"));
}

TEST_CASE("a device of zeros is blank, one with data at its start is not [P-XFER-9]", "[mover]") {
  const ScratchDirectory directory;
  std::string content(std::size_t{4} << 20U, '\0');
  SECTION("blank") {
    const auto contents = contents_of(directory.write("device", content));
    REQUIRE(contents);
    CHECK_FALSE(contents->not_blank);
    CHECK_FALSE(contents->fs_type);
  }
  SECTION("a byte at the start") {
    content.front() = 'x';
    const auto contents = contents_of(directory.write("device", content));
    REQUIRE(contents);
    CHECK(contents->not_blank == "its first MiB is not all zeros");
  }
  SECTION("a format that cannot be mounted") {
    content.replace(4086, 10, "SWAPSPACE2");
    content.replace(1024, 8, std::string{"\1\0\0\0\377\3\0\0", 8});
    const auto contents = contents_of(directory.write("device", content));
    REQUIRE(contents);
    CHECK(contents->not_blank == "it contains swap");
    CHECK_FALSE(contents->fs_type);
  }
}
