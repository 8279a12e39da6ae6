// MountService on real volumes, seen by the whole host.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/mount_stage.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace fs = std::filesystem;
namespace v1 = lvmd::v1;

namespace {

bool has(const v1::MountEntry& mount, const std::string& option) {
  return std::ranges::find(mount.options(), option) != mount.options().end();
}

}  // namespace

TEST_CASE(
    "a blank volume gets its file system when it is asked for, and the whole host sees the mount "
    "[P-MOUNT-1, P-MOUNT-4, P-MOUNT-5, P-MOUNT-7, P-MOUNT-8]",
    "[system]") {
  const std::string type = GENERATE("ext4", "xfs", "btrfs");
  CAPTURE(type);
  MountStage stage;
  const std::string name = stage.volume();
  const auto blank = stage.client().mount(request_for(name));
  CHECK(blank.code == Code::kFailedPrecondition);
  CHECK(blank.reason == "VOLUME_BLANK");
  CHECK_FALSE(fs::exists(at(name)));

  auto request = request_for(name, type);
  request.add_options("noatime");
  const auto mount = mounted(stage.client(), request);
  CHECK(mount.target() == at(name));
  CHECK(mount.name() == name);
  CHECK(mount.volume_group() == "vg_thick");
  CHECK(mount.fs_type() == type);
  CHECK_FALSE(mount.read_only());
  CHECK(mount.dev_minor() == listed(stage.client(), "thin", name).dev_minor());
  for (const char* const option : {"nosuid", "nodev", "noatime"}) CHECK(has(mount, option));
  CHECK(host_sees(mount.target(), "FSTYPE") == type);
  // Btrfs has a name of its own for it.
  CHECK(output_of("readlink -f " + host_sees(mount.target(), "SOURCE")) ==
        output_of("readlink -f " + device_of(name)));

  must("echo kept > " + mount.target() + "/file");
  // Formatted it is not again.
  CHECK(mounted(stage.client(), request).SerializeAsString() == mount.SerializeAsString());
  const auto gone = stage.client().unmount(unmount_of(mount.target()));
  REQUIRE(gone.ok());
  CHECK(gone.response.targets_size() == 1);
  CHECK_FALSE(fs::exists(mount.target()));
  CHECK(stage.client().unmount(unmount_of(mount.target())).response.targets().empty());
  CHECK(mounted(stage.client(), request).fs_type() == type);
  CHECK(output_of("cat " + mount.target() + "/file") == "kept");
}

TEST_CASE("what is not provably blank is not formatted [P-MOUNT-4, P-MOUNT-7]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  must("mkswap -q " + device_of(name));
  const auto swap = stage.client().mount(request_for(name, "ext4"));
  CHECK(swap.code == Code::kFailedPrecondition);
  CHECK(swap.reason == "OTHER_CONTENT");
  CHECK(swap.says("swap"));
  must("wipefs -q -a " + device_of(name) + " && printf x | dd of=" + device_of(name) +
       " bs=1 seek=5000 conv=notrunc status=none && sync");
  const auto data = stage.client().mount(request_for(name, "ext4"));
  CHECK(data.reason == "VOLUME_NOT_BLANK");
  CHECK(data.says("first MiB"));
  must("mkfs.xfs -q -f " + device_of(name));
  const auto other = stage.client().mount(request_for(name, "ext4"));
  CHECK(other.reason == "OTHER_CONTENT");
  CHECK(other.says("xfs"));
  CHECK(output_of("blkid -p -o value -s TYPE " + device_of(name)) == "xfs");
}

TEST_CASE("a new volume is blank whatever its extents held, also after it has grown [P-MOUNT-7]",
          "[system]") {
  Scratch scratch;
  const std::string before = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", before, 128 * kMiB)).ok());
  must("tr '\\0' x < /dev/zero | dd of=" + device_of(before) +
       " bs=1M iflag=fullblock oflag=direct status=none count=128");
  REQUIRE(scratch.client.remove(remove_request("thick", before)).ok());
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 64 * kMiB)).ok());
  REQUIRE(scratch.client.resize(resize_request("thick", name, 96 * kMiB)).ok());
  CHECK(output_of("tail -c 5 " + device_of(name)) == "xxxxx");
  auto request = request_for(name, "ext4");
  request.set_device_class("thick");
  CHECK(mounted(scratch.client, request).fs_type() == "ext4");
  CHECK(scratch.client.unmount(unmount_of(at(name))).ok());
}

TEST_CASE("a snapshot of a mounted xfs is mounted beside it, read-only when it is [P-MOUNT-6]",
          "[system]") {
  MountStage stage;
  const std::string source = stage.volume();
  const auto origin = mounted(stage.client(), request_for(source, "xfs"));
  must("echo before > " + origin.target() + "/file && sync -f " + origin.target());
  const std::string frozen = stage.snapshot(source, "ro");
  const std::string copy = stage.snapshot(source, "rw");
  must("echo after > " + origin.target() + "/file");
  const auto read_only = mounted(stage.client(), request_for(frozen));
  CHECK(read_only.read_only());
  CHECK(has(read_only, "norecovery"));
  CHECK(has(read_only, "nouuid"));
  CHECK(output_of("cat " + read_only.target() + "/file") == "before");
  CHECK(shell("touch " + read_only.target() + "/x").exit_code != 0);
  const auto writable = mounted(stage.client(), request_for(copy));
  CHECK_FALSE(writable.read_only());
  CHECK(has(writable, "nouuid"));
  must("touch " + writable.target() + "/x");
}

TEST_CASE("what is mounted read-only is not written to [P-MOUNT-6]", "[system]") {
  const std::string type = GENERATE("ext4", "btrfs");
  CAPTURE(type);
  MountStage stage;
  const std::string name = stage.volume();
  must("mkfs." + type + " -q " + device_of(name));
  const std::string before = output_of("head -c 16M " + device_of(name) + " | sha256sum");
  auto request = request_for(name);
  request.set_read_only(true);
  const auto mount = mounted(stage.client(), request);
  CHECK(mount.read_only());
  // The kernel calls ext4's noload so.
  CHECK(has(mount, type == "ext4" ? "norecovery" : "rescue=nologreplay"));
  must("ls " + mount.target());
  REQUIRE(stage.client().unmount(unmount_of(mount.target())).ok());
  CHECK(output_of("head -c 16M " + device_of(name) + " | sha256sum") == before);
}

TEST_CASE("a target is not reached through symbolic links [P-MOUNT-2]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  must("mkfs.ext4 -q " + device_of(name) + " && mkdir -p /run/lvmd/mounts && ln -sfn /etc " +
       at("link"));
  for (const char* const below : {"link", "link/x", "link/x/y"}) {
    CAPTURE(below);
    auto request = request_for(name);
    request.set_target(at(below));
    const auto refused = stage.client().mount(request);
    CHECK(refused.code == Code::kFailedPrecondition);
    CHECK(refused.reason == "TARGET_UNUSABLE");
    CHECK(stage.client().unmount(unmount_of(at(below))).code == Code::kFailedPrecondition);
  }
  CHECK_FALSE(fs::exists("/etc/x"));
  must("rm " + at("link"));
  auto request = request_for(name);
  request.set_target(at("a/b c/d"));
  CHECK(mounted(stage.client(), request).target() == at("a/b c/d"));
  REQUIRE(stage.client().unmount(unmount_of(at("a/b c/d"))).ok());
  CHECK(fs::is_empty(at("a/b c")));
  must("rm -r '" + at("a") + "'");
}

TEST_CASE("what is in a target is not covered by a mount [P-MOUNT-15]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const std::string folder = at("not-empty");
  must("mkdir -p " + folder + " && echo kept > " + folder + "/.file");
  auto request = request_for(name, "ext4");
  request.set_target(folder);
  const auto refused = [&] {
    const auto answer = stage.client().mount(request);
    INFO(answer.message);
    CHECK(answer.code == Code::kFailedPrecondition);
    CHECK(answer.reason == "TARGET_NOT_EMPTY");
    CHECK(answer.metadata.at("target") == folder);
    CHECK(answer.says("would hide \".file\" in it"));
    CHECK(host_sees(folder, "FSTYPE").empty());
    CHECK(output_of("cat " + folder + "/.file") == "kept");
  };
  refused();
  // Nothing was made on the volume either.
  CHECK(shell("blkid -p " + device_of(name)).exit_code == 2);

  // As a bind mount.
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  request.clear_format();
  request.set_bind_from(mount.target());
  refused();

  // A folder in which another volume is mounted.
  must("rm " + folder + "/.file");
  auto below = request_for(stage.volume(), "ext4");
  below.set_target(folder + "/.file");
  static_cast<void>(mounted(stage.client(), below));
  const auto covering = stage.client().mount(request);
  CHECK(covering.reason == "TARGET_NOT_EMPTY");
  REQUIRE(stage.client().unmount(unmount_of(folder + "/.file")).ok());

  // Empty it is mounted on, and the same again is the same mount.
  CHECK(mounted(stage.client(), request).target() == folder);
  must("touch " + folder + "/new");
  CHECK(mounted(stage.client(), request).target() == folder);
  REQUIRE(stage.client().unmount(unmount_of(folder)).ok());
}

TEST_CASE("another mount at a target stays, and so does another kind [P-MOUNT-8]", "[system]") {
  MountStage stage;
  const std::string first = stage.volume();
  const std::string second = stage.volume();
  must("mkfs.ext4 -q " + device_of(first) + " && mkfs.ext4 -q " + device_of(second));
  const auto mount = mounted(stage.client(), request_for(first));
  auto request = request_for(second);
  request.set_target(mount.target());
  const auto taken = stage.client().mount(request);
  CHECK(taken.code == Code::kAlreadyExists);
  CHECK(taken.reason == "TARGET_TAKEN");
  CHECK(taken.says("vg_thick/" + first));
  auto read_only = request_for(first);
  read_only.set_read_only(true);
  const auto differs = stage.client().mount(read_only);
  CHECK(differs.code == Code::kAlreadyExists);
  CHECK(differs.reason == "MOUNT_DIFFERS");
  CHECK(differs.metadata.at("field") == "read_only");
  CHECK_FALSE(mounted(stage.client(), request_for(first)).read_only());
}

TEST_CASE(
    "a busy mount stays and names who uses it; a mounted volume can't be removed [P-MOUNT-11, "
    "P-MOUNT-13]",
    "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const std::string type = GENERATE("ext4", "btrfs");
  CAPTURE(type);
  const auto mount = mounted(stage.client(), request_for(name, type));
  const auto removed = stage.client().remove(remove_request("thin", name));
  CHECK(removed.code == Code::kFailedPrecondition);
  CHECK(removed.says(mount.target()));
  const std::string pid =
      output_of("cd " + mount.target() + " && { sleep 1000 >/dev/null 2>&1 & echo $!; }");
  const auto busy = stage.client().unmount(unmount_of(mount.target()));
  CHECK(busy.code == Code::kFailedPrecondition);
  CHECK(busy.reason == "MOUNT_BUSY");
  INFO(busy.message);
  CHECK(busy.says("sleep (pid " + pid + ")"));
  CHECK(host_sees(mount.target(), "FSTYPE") == type);
  must("kill " + pid);
  CHECK(eventually([&] { return stage.client().unmount(unmount_of(mount.target())).ok(); }));
  CHECK(host_sees(mount.target(), "FSTYPE").empty());
}

TEST_CASE(
    "a bind mount shows the same files, and goes with the volume's others [P-MOUNT-9, "
    "P-MOUNT-10]",
    "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  auto request = request_for(name, "ext4");
  const auto mount = mounted(stage.client(), request);
  must("echo shared > " + mount.target() + "/file");
  request = request_for(name);
  request.set_target(at("bound"));
  request.set_bind_from(at("nowhere"));
  const auto missing = stage.client().mount(request);
  CHECK(missing.code == Code::kFailedPrecondition);
  CHECK(missing.reason == "NOT_MOUNTED");
  CHECK_FALSE(fs::exists(at("bound")));

  request.set_bind_from(mount.target());
  request.set_read_only(true);
  const auto bound = mounted(stage.client(), request);
  CHECK(bound.read_only());
  CHECK(has(bound, "nosuid"));
  CHECK(output_of("cat " + bound.target() + "/file") == "shared");
  CHECK(shell("touch " + bound.target() + "/x").exit_code != 0);
  must("touch " + mount.target() + "/x");
  CHECK(mounted(stage.client(), request).target() == bound.target());

  v1::UnmountRequest all;
  all.set_device_class("thin");
  all.set_name(name);
  const auto gone = stage.client().unmount(all);
  REQUIRE(gone.ok());
  CHECK(gone.response.targets_size() == 2);
  CHECK(host_sees(bound.target(), "FSTYPE").empty());
  CHECK(host_sees(mount.target(), "FSTYPE").empty());
}

TEST_CASE("a list has every mount below the roots, whoever made it [P-MOUNT-12]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  must("mkdir -p /run/lvmd/mounts/0-by-hand && mount -t tmpfs none /run/lvmd/mounts/0-by-hand");
  const auto list = stage.client().list_mounts();
  REQUIRE(list.ok());
  INFO(list.response.DebugString());
  REQUIRE(list.response.mounts_size() == 2);
  CHECK(list.response.mounts(0).target() == "/run/lvmd/mounts/0-by-hand");
  CHECK(list.response.mounts(0).fs_type() == "tmpfs");
  CHECK(list.response.mounts(0).name().empty());
  CHECK(list.response.mounts(1).SerializeAsString() == mount.SerializeAsString());
  CHECK(stage.client().unmount(unmount_of("/run/lvmd/mounts/0-by-hand")).ok());
  CHECK(stage.client().list_mounts().response.mounts_size() == 1);
}

TEST_CASE(
    "a volume that was mounted when lvmd started is free once the host unmounts it [P-REMOVE-3]",
    "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  static_cast<void>(mounted(stage.client(), request_for(name, "ext4")));
  must("systemctl restart lvmd.service");
  must("umount " + at(name));
  Client after{kSocket};
  // In use for a moment, at most, while lvmd starts.
  const auto removed = [&] { return after.remove(remove_request("thin", name)).ok(); };
  CHECK(eventually(removed));
}
