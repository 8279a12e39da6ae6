#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/model/mount_rules.hpp"

using namespace lvmd;
using namespace lvmd::model;

namespace {

const std::vector<std::string> kRoots{"/run/lvmd/mounts", "/srv"};

}  // namespace

TEST_CASE("a target is split at its root [P-MOUNT-2]", "[model]") {
  const auto place = check_mount_target("target", "/srv/a/b c", kRoots);
  REQUIRE(place);
  CHECK(*place == MountPlace{"/srv", {"a", "b c"}});
  CHECK(check_mount_target("target", "/run/lvmd/mounts/pvc-1", kRoots)->parts ==
        std::vector<std::string>{"pvc-1"});
  CHECK(check_mount_target("target", "/srv/" + std::string(3995, 'x'), kRoots));
}

TEST_CASE("a target outside the roots or not plain is rejected by name [P-MOUNT-2]", "[model]") {
  const std::string target =
      GENERATE("", "/", "srv/a", "/srv", "/srv/", "/srv/a/", "/srv//a", "/srv/./a", "/srv/../etc",
               "/srv/..", "/srva/b", "/etc/a", "/run/lvmd/mounts");
  CAPTURE(target);
  const auto refused = check_mount_target("target", target, kRoots);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().reason == "INVALID_TARGET");
  CHECK(refused.error().message.find("target \"" + target + "\"") == 0);
}

TEST_CASE("a target has at most 4,000 bytes and no zero in it [P-MOUNT-2]", "[model]") {
  const auto longer = check_mount_target("target", "/srv/" + std::string(3996, 'x'), kRoots);
  REQUIRE_FALSE(longer);
  CHECK(longer.error().message == "target has 4001 bytes, at most 4000 are allowed");
  CHECK_FALSE(check_mount_target("target", std::string{"/srv/a\0b", 8}, kRoots));
}

TEST_CASE("only listed mount options are accepted [P-MOUNT-5]", "[model]") {
  for (const char* const option :
       {"noatime", "nodiratime", "relatime", "lazytime", "noexec", "sync", "dirsync", "discard"})
    CHECK(check_mount_option("options", option));
  const std::string option = GENERATE("", "suid", "dev", "exec", "remount", "bind", "noatime,suid",
                                      "data=writeback", "NOATIME");
  const auto refused = check_mount_option("options", option);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message.find("options: \"" + option + "\" is not one of") == 0);
}

TEST_CASE("three file systems can be mounted [P-MOUNT-4]", "[model]") {
  for (const char* const type : {"ext4", "xfs", "btrfs"}) CHECK(check_file_system("fs_type", type));
  const auto refused = check_file_system("fs_type", "vfat");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message == "fs_type is \"vfat\", it must be one of ext4, xfs, btrfs");
}
