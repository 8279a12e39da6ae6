// GrowFileSystem on real volumes.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/mount_stage.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace v1 = lvmd::v1;

namespace {

constexpr std::int64_t kOld = 320 * kMiB;
constexpr std::int64_t kNew = 480 * kMiB;

v1::GrowFileSystemRequest growth_of(const std::string& name) {
  v1::GrowFileSystemRequest request;
  request.set_device_class("thin");
  request.set_name(name);
  return request;
}

void resize(MountStage& stage, const std::string& name) {
  const auto resized = stage.client().resize(resize_request("thin", name, kNew));
  INFO(resized.message);
  REQUIRE(resized.ok());
}

std::int64_t free_in(const std::string& target) {
  return std::stoll(output_of("df --output=avail -B1 " + target + " | tail -1"));
}

}  // namespace

TEST_CASE("a mounted file system grows to the size of its volume, once [P-MOUNT-16]", "[system]") {
  const std::string type = GENERATE("ext4", "xfs", "btrfs");
  CAPTURE(type);
  MountStage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, type));
  must("echo kept > " + mount.target() + "/file");
  const auto full = stage.client().grow_file_system(growth_of(name));
  INFO(full.message);
  REQUIRE(full.ok());
  CHECK(full.response.fs_type() == type);
  CHECK(full.response.bytes_before() == kOld);
  CHECK(full.response.bytes_after() == kOld);

  resize(stage, name);
  const std::int64_t before = free_in(mount.target());
  // A program that uses the mount does not prevent the growth.
  const std::string pid =
      output_of("cd " + mount.target() + " && { sleep 1000 >/dev/null 2>&1 & echo $!; }");
  const auto grown = stage.client().grow_file_system(growth_of(name));
  INFO(grown.message);
  CHECK(grown.ok());
  CHECK(grown.response.bytes_before() == kOld);
  CHECK(grown.response.bytes_after() == kNew);
  CHECK(free_in(mount.target()) > before + (kNew - kOld) / 2);
  const auto again = stage.client().grow_file_system(growth_of(name));
  CHECK(again.ok());
  CHECK(again.response.bytes_before() == kNew);
  CHECK(again.response.bytes_after() == kNew);
  must("kill " + pid);

  CHECK(output_of("cat " + mount.target() + "/file") == "kept");
  // The size is on the disk: another mount shows it.
  CHECK(eventually([&] { return stage.client().unmount(unmount_of(mount.target())).ok(); }));
  static_cast<void>(mounted(stage.client(), request_for(name)));
  CHECK(stage.client().grow_file_system(growth_of(name)).response.bytes_before() == kNew);
}

TEST_CASE("a read-only or unmounted file system does not grow [P-MOUNT-17]", "[system]") {
  const std::string type = GENERATE("ext4", "xfs", "btrfs");
  CAPTURE(type);
  MountStage stage;
  const std::string name = stage.volume();
  must("mkfs." + type + " -q " + device_of(name));
  resize(stage, name);
  const auto unmounted = stage.client().grow_file_system(growth_of(name));
  CHECK(unmounted.code == Code::kFailedPrecondition);
  CHECK(unmounted.reason == "NOT_MOUNTED");
  CHECK(unmounted.says("mount it"));

  auto request = request_for(name);
  request.set_read_only(true);
  static_cast<void>(mounted(stage.client(), request));
  const auto read_only = stage.client().grow_file_system(growth_of(name));
  CHECK(read_only.code == Code::kFailedPrecondition);
  CHECK(read_only.reason == "MOUNT_READ_ONLY");
  CHECK(read_only.metadata.at("target") == at(name));

  REQUIRE(stage.client().unmount(unmount_of(at(name))).ok());
  static_cast<void>(mounted(stage.client(), request_for(name)));
  const auto grown = stage.client().grow_file_system(growth_of(name));
  CHECK(grown.response.bytes_before() == kOld);
  CHECK(grown.response.bytes_after() == kNew);
}

TEST_CASE(
    "a volume grows through its writable mount; a read-only volume and another file system do not "
    "grow [P-MOUNT-16, P-MOUNT-17]",
    "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  auto bound = request_for(name);
  bound.set_target(at("0-bound"));
  bound.set_bind_from(mount.target());
  bound.set_read_only(true);
  static_cast<void>(mounted(stage.client(), bound));
  resize(stage, name);
  const auto grown = stage.client().grow_file_system(growth_of(name));
  INFO(grown.message);
  CHECK(grown.response.bytes_after() == kNew);

  const std::string frozen = stage.snapshot(name, "ro");
  static_cast<void>(mounted(stage.client(), request_for(frozen)));
  const auto read_only = stage.client().grow_file_system(growth_of(frozen));
  CHECK(read_only.code == Code::kFailedPrecondition);
  CHECK(read_only.reason == "VOLUME_READ_ONLY");

  const std::string other = stage.volume();
  must("mkfs.ext2 -q " + device_of(other) + " && mkdir -p " + at(other) + " && mount " +
       device_of(other) + " " + at(other));
  const auto unknown = stage.client().grow_file_system(growth_of(other));
  CHECK(unknown.code == Code::kFailedPrecondition);
  CHECK(unknown.reason == "OTHER_CONTENT");
  CHECK(unknown.metadata.at("existing") == "ext2");
}

TEST_CASE("a growth that hangs delays only its volume, and goes on [P-MOUNT-14, P-MOUNT-16]",
          "[system]") {
  MountStage stage;
  const std::string stuck = stage.volume();
  const std::string other = stage.volume();
  static_cast<void>(mounted(stage.client(), request_for(stuck, "ext4")));
  static_cast<void>(mounted(stage.client(), request_for(other, "ext4")));
  resize(stage, stuck);
  resize(stage, other);
  must("dmsetup suspend " + device_of(stuck));
  CHECK(stage.client().grow_file_system(growth_of(stuck), std::chrono::seconds{3}).code ==
        Code::kDeadlineExceeded);
  CHECK(stage.client().grow_file_system(growth_of(other)).response.bytes_after() == kNew);
  must("dmsetup resume " + device_of(stuck));
  const auto grown = stage.client().grow_file_system(growth_of(stuck));
  INFO(grown.message);
  CHECK(grown.response.bytes_before() == kNew);
  CHECK(grown.response.bytes_after() == kNew);
}
