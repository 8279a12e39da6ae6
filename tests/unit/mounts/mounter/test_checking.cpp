#include <fcntl.h>

#include <catch2/catch.hpp>
#include <string>

#include "lvmd/mounts/mounter/checking.hpp"
#include "lvmd/mounts/mounter/ext4.hpp"
#include "lvmd/probe/make_filesystem.hpp"
#include "lvmd/probe/run_program.hpp"
#include "tests/unit/probe/image.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;

namespace {

// An ext4 on a file that stands for a volume.
struct Formatted {
  Formatted() {
    REQUIRE(probe::make_filesystem(image.path, "ext4"));
    volume.fd.reset(::open(image.path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(volume.fd);
    volume.path = image.path;
  }

  void debugfs(const std::string& request) const {
    const auto done = probe::run_program({"debugfs", "-w", "-R", request, image.path});
    REQUIRE(done);
    REQUIRE(done->status.succeeded());
  }
  [[nodiscard]] bool asks() const {
    return ext4::asks_for_check(ext4::read_superblock(volume).value());
  }

  probe::Image image;
  OpenVolume volume{.name = "vg0/pvc-1", .number = {253, 1}};
};

}  // namespace

TEST_CASE("an ext4 asks for a check after an error, and without a journal after a crash [P-CSI-33]",
          "[mounter]") {
  const Formatted ext4;
  CHECK_FALSE(ext4.asks());
  SECTION("the kernel recorded an error") {
    ext4.debugfs("set_super_value state 3");
    CHECK(ext4.asks());
  }
  SECTION("not unmounted, with a journal") {
    ext4.debugfs("feature needs_recovery");
    ext4.debugfs("set_super_value state 0");
    CHECK_FALSE(ext4.asks());
  }
  SECTION("not unmounted, without a journal") {
    ext4.debugfs("feature -has_journal");
    CHECK_FALSE(ext4.asks());
    ext4.debugfs("set_super_value state 0");
    CHECK(ext4.asks());
  }
  CHECK_FALSE(ext4::asks_for_check({}));
}

TEST_CASE("an ext4 with a recorded error is checked, and is clean afterwards [P-CSI-33]",
          "[mounter]") {
  const Formatted ext4;
  ext4.debugfs("set_super_value state 3");
  CHECK(check_before_mount(ext4.volume, "xfs"));
  CHECK(ext4.asks());
  CHECK(check_before_mount(ext4.volume, "ext4"));
  CHECK_FALSE(ext4.asks());
}

TEST_CASE("a read-only volume is not checked [P-CSI-33]", "[mounter]") {
  Formatted ext4;
  ext4.debugfs("set_super_value state 3");
  ext4.volume.read_only = true;
  CHECK(check_before_mount(ext4.volume, "ext4"));
  CHECK(ext4.asks());
}

TEST_CASE("an ext4 that e2fsck -p cannot repair is refused with its output [P-CSI-33]",
          "[mounter]") {
  const Formatted ext4;
  ext4.debugfs("set_super_value state 3");
  // Clears the root directory.
  ext4.debugfs("clri <2>");
  const auto refused = check_before_mount(ext4.volume, "ext4");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().reason == "FILE_SYSTEM_DAMAGED");
  CHECK(refused.error().message.find(
            "the ext4 of volume vg0/pvc-1 is damaged, and e2fsck -p failed with exit code 4: ") ==
        0);
  CHECK(refused.error().message.find("Root inode is not a directory") != std::string::npos);
  CHECK(refused.error().message.find("Run e2fsck " + ext4.image.path + " by hand") !=
        std::string::npos);
}
