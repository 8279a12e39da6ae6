// GetUsage on real volumes.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/mount_stage.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace v1 = lvmd::v1;

namespace {

constexpr std::int64_t kVolume = 320 * kMiB;

v1::GetUsageRequest request_of(const std::string& name, const std::string& target = {}) {
  v1::GetUsageRequest request;
  request.set_device_class("thin");
  request.set_name(name);
  request.set_target(target);
  return request;
}

v1::GetUsageResponse usage_of(Client& client, const std::string& name,
                              const std::string& target = {}) {
  const auto answer = client.usage(request_of(name, target));
  INFO(answer.message);
  REQUIRE(answer.ok());
  return answer.response;
}

std::uint64_t df(const std::string& target, const std::string& column) {
  return std::stoull(output_of("df -B1 --output=" + column + " " + target + " | tail -1"));
}

bool has_error(const v1::GetUsageResponse& usage, const std::string& kind) {
  return std::ranges::any_of(usage.errors(), [&](const v1::FileSystemError& error) {
    return error.kind() == kind && error.count() > 0;
  });
}

}  // namespace

TEST_CASE("the usage of a mount is what df shows; an unmounted volume has a size [P-MOUNT-18]",
          "[system]") {
  const std::string type = GENERATE("ext4", "xfs", "btrfs");
  CAPTURE(type);
  MountStage stage;
  const std::string name = stage.volume();
  const auto unmounted = usage_of(stage.client(), name);
  CHECK(unmounted.volume_bytes() == kVolume);
  CHECK(unmounted.target().empty());
  CHECK(unmounted.fs_type().empty());
  CHECK_FALSE(unmounted.has_bytes());
  CHECK_FALSE(unmounted.has_inodes());
  CHECK_FALSE(unmounted.read_only());

  const auto mount = mounted(stage.client(), request_for(name, type));
  const std::string& target = mount.target();
  must("head -c 20M /dev/urandom > " + target + "/file && sync -f " + target);
  const auto usage = usage_of(stage.client(), name);
  CHECK(usage.volume_bytes() == kVolume);
  CHECK(usage.target() == target);
  CHECK(usage.fs_type() == type);
  CHECK_FALSE(usage.read_only());
  CHECK(usage.bytes().total() == df(target, "size"));
  CHECK(usage.bytes().used() == df(target, "used"));
  CHECK(usage.bytes().available() == df(target, "avail"));
  CHECK(usage.bytes().used() > std::uint64_t{20} << 20U);
  CHECK(usage.has_inodes() == (type != "btrfs"));
  if (usage.has_inodes()) {
    CHECK(usage.inodes().total() == df(target, "itotal"));
    CHECK(usage.inodes().used() == df(target, "iused"));
    CHECK(usage.inodes().available() == df(target, "iavail"));
  }
  CHECK(usage.errors().empty());

  REQUIRE(stage.client().unmount(unmount_of(target)).ok());
  CHECK(usage_of(stage.client(), name).target().empty());
}

TEST_CASE("the usage is of the given mount, otherwise of the first one [P-MOUNT-18]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  auto bound = request_for(name);
  bound.set_target(at("0-bound"));
  bound.set_bind_from(mount.target());
  bound.set_read_only(true);
  static_cast<void>(mounted(stage.client(), bound));
  const auto first = usage_of(stage.client(), name);
  CHECK(first.target() == at("0-bound"));
  CHECK(first.read_only());
  const auto given = usage_of(stage.client(), name, mount.target());
  CHECK(given.target() == mount.target());
  CHECK_FALSE(given.read_only());

  const std::string other = stage.volume();
  const auto elsewhere = stage.client().usage(request_of(other, mount.target()));
  CHECK(elsewhere.code == Code::kFailedPrecondition);
  CHECK(elsewhere.reason == "NOT_MOUNTED");
  CHECK(elsewhere.metadata.at("target") == mount.target());
  const std::string frozen = stage.snapshot(name, "ro");
  CHECK(usage_of(stage.client(), frozen).read_only());
}

TEST_CASE("errors of the file system that the kernel has recorded are returned [P-MOUNT-19]",
          "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  SECTION("ext4 counts them") {
    static_cast<void>(mounted(stage.client(), request_for(name, "ext4")));
    must("echo provoked > /sys/fs/ext4/$(basename $(readlink -f " + device_of(name) +
         "))/trigger_fs_error");
    CHECK(has_error(usage_of(stage.client(), name), "errors_count"));
    // The count is on the disk.
    REQUIRE(stage.client().unmount(unmount_of(at(name))).ok());
    static_cast<void>(mounted(stage.client(), request_for(name)));
    CHECK(has_error(usage_of(stage.client(), name), "errors_count"));
    // The kernel grows no file system with errors.
    REQUIRE(stage.client().resize(resize_request("thin", name, 480 * kMiB)).ok());
    v1::GrowFileSystemRequest growth;
    growth.set_device_class("thin");
    growth.set_name(name);
    CHECK(stage.client().grow_file_system(growth).reason == "GROW_REFUSED");
  }
  SECTION("btrfs counts what it could not read") {
    const auto mount = mounted(stage.client(), request_for(name, "btrfs"));
    must("yes lvmd-marker | head -c 1M > " + mount.target() + "/file && sync -f " + mount.target());
    must("offset=$(grep -obUa -m1 lvmd-marker " + device_of(name) +
         " | head -1 | cut -d: -f1) && printf damage | dd of=" + device_of(name) +
         " bs=1 seek=$offset conv=notrunc,fsync status=none && echo 3 > /proc/sys/vm/drop_caches");
    CHECK(shell("cat " + mount.target() + "/file > /dev/null").exit_code != 0);
    CHECK(has_error(usage_of(stage.client(), name), "corruption_errs"));
  }
  SECTION("an xfs is shut down") {
    const auto mount = mounted(stage.client(), request_for(name, "xfs"));
    must("xfs_io -x -c shutdown " + mount.target());
    const auto usage = usage_of(stage.client(), name);
    CHECK(has_error(usage, "shutdown"));
    CHECK(usage.fs_type() == "xfs");
  }
}

TEST_CASE("a usage that hangs delays only calls for its volume [P-MOUNT-14, P-MOUNT-18]",
          "[system]") {
  MountStage stage;
  const std::string stuck = stage.volume();
  const std::string other = stage.volume();
  static_cast<void>(mounted(stage.client(), request_for(stuck, "ext4")));
  static_cast<void>(mounted(stage.client(), request_for(other, "ext4")));
  Code answer = Code::kUnknown;
  std::jthread caller;
  int pid = 0;
  {
    const Failpoint failpoint{"mounter.usage"};
    caller = std::jthread{[&] {
      Client client{kSocket};
      answer = client.usage(request_of(stuck), std::chrono::minutes{1}).code;
    }};
    pid = mounter_at("mounter.usage");
    REQUIRE(::kill(pid, SIGSTOP) == 0);
  }
  CHECK(usage_of(stage.client(), other).target() == at(other));
  const auto second = stage.client().usage(request_of(stuck), kStepLimit);
  CHECK(second.code == Code::kAborted);
  CHECK(second.reason == "MOUNT_UNDER_WAY");
  CHECK(::kill(pid, SIGCONT) == 0);
  caller.join();
  CHECK(answer == Code::kOk);
}
