#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/volumes/worker/volume_node.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd::volumes::worker;

namespace {

namespace fs = std::filesystem;

// A folder in place of /dev. Only links to no device can be tested without privileges.
struct DevFolder {
  lvmd::supervisor::ScratchDirectory scratch;
  fs::path dev{scratch.file("dev")};
  VolumeLinks links = links_of("vg-0", "lv", dev);

  DevFolder() { fs::create_directories(dev / "mapper"); }
};

constexpr lvmd::model::DeviceState kDevice{.major = 253, .minor = 5};

}  // namespace

TEST_CASE("a volume has the links that udev makes [P-CREATE-11]") {
  const DevFolder folder;
  REQUIRE(make_links(folder.links, kDevice));
  CHECK(fs::read_symlink(folder.dev / "vg-0/lv") == "../dm-5");
  CHECK(fs::read_symlink(folder.dev / "mapper/vg--0-lv") == "../dm-5");
  CHECK(fs::status(folder.dev / "vg-0").permissions() == fs::perms{0755});
}

TEST_CASE("a link to another device is replaced [P-CREATE-11]") {
  const DevFolder folder;
  REQUIRE(make_links(folder.links, {.major = 253, .minor = 4}));
  REQUIRE(make_links(folder.links, kDevice));
  CHECK(fs::read_symlink(folder.dev / "vg-0/lv") == "../dm-5");
}

TEST_CASE("the error names the link that cannot be made [P-CREATE-11]") {
  const DevFolder folder;
  fs::create_directories(folder.dev / "mapper/vg--0-lv");
  const auto made = make_links(folder.links, kDevice);
  REQUIRE_FALSE(made);
  CHECK(made.error().message.contains("mapper/vg--0-lv"));
}

TEST_CASE("the links to a removed volume are removed, whether or not they exist [P-REMOVE-23]") {
  const DevFolder folder;
  REQUIRE(make_links(folder.links, kDevice));
  remove_links(folder.links, kDevice);
  CHECK_FALSE(fs::is_symlink(folder.dev / "vg-0/lv"));
  CHECK_FALSE(fs::is_symlink(folder.dev / "mapper/vg--0-lv"));
  remove_links(folder.links, kDevice);
  CHECK(fs::exists(folder.dev / "vg-0"));
}
