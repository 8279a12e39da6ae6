// The mounts of CSI volumes on real volumes. This program executes the mounter's jobs itself.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/system/csi_stage.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd;
using namespace lvmd::system_tests;
namespace fs = std::filesystem;

namespace {

std::string mode_of(const std::string& path) { return output_of("stat -c '%a %u %g' " + path); }

bool has(const internal::MountedVolume& mount, const std::string& option) {
  return std::ranges::find(mount.options(), option) != mount.options().end();
}

}  // namespace

TEST_CASE(
    "a blank volume gets a file system when it is staged, and its root directory is open to all "
    "[P-CSI-31, P-CSI-32, P-CSI-34]",
    "[system]") {
  const std::string type = GENERATE("", "ext4", "xfs", "btrfs");
  CAPTURE(type);
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  auto job = stage.staging_of(name, type);
  job.mutable_stage()->add_mount_flags("noatime");
  const auto mount = mount_in(stage.run(job));
  const std::string target = stage.path(stage.staging);
  CHECK(mount.target() == target);
  CHECK(mount.name() == name);
  CHECK(mount.fs_type() == (type.empty() ? "ext4" : type));
  CHECK_FALSE(mount.read_only());
  CHECK(has(mount, "noatime"));
  CHECK_FALSE(has(mount, "nosuid"));
  CHECK_FALSE(has(mount, "nodev"));
  CHECK(host_sees(target, "FSTYPE") == mount.fs_type());
  CHECK(mode_of(target) == "2777 0 0");

  // A repeated call changes nothing, not even a mode that somebody has set.
  must("chmod 00700 " + target);
  CHECK(mount_in(stage.run(job)).SerializeAsString() == mount.SerializeAsString());
  CHECK(mode_of(target) == "700 0 0");
  CHECK(output_of("findmnt -rn -o TARGET | grep -c '^" + target + "$'") == "1");
}

TEST_CASE("a file system that is not new keeps the mode of its root directory [P-CSI-32]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string target = stage.path(stage.staging);
  must("mkfs.ext4 -q " + device_of(name));
  SECTION("a mounter that died after mkfs did not set it yet") {
    CHECK(mount_in(stage.run(stage.staging_of(name))).fs_type() == "ext4");
    CHECK(mode_of(target) == "2777 0 0");
  }
  SECTION("with a file") {
    must("mount " + device_of(name) + " /mnt && touch /mnt/file && umount /mnt");
    CHECK(mount_in(stage.run(stage.staging_of(name))).fs_type() == "ext4");
    CHECK(mode_of(target) == "755 0 0");
  }
  SECTION("used by a pod") {
    must("mount " + device_of(name) + " /mnt");
    CHECK(mount_in(stage.run(stage.staging_of(name))).fs_type() == "ext4");
    CHECK(mode_of(target) == "755 0 0");
    must("umount /mnt");
  }
}

TEST_CASE("a volume with another content than requested is not staged [P-CSI-31]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  must("mkfs.xfs -q " + device_of(name));
  const auto other = stage.run(stage.staging_of(name, "ext4"));
  CHECK(other.error().reason() == "OTHER_CONTENT");
  CHECK(mount_in(stage.run(stage.staging_of(name))).fs_type() == "xfs");
}

TEST_CASE(
    "a staging target that is taken, or is missing with its parent, is refused [P-CSI-30, "
    "P-CSI-34]",
    "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string target = stage.path(stage.staging);
  must("mount -t tmpfs tmpfs " + target);
  CHECK(stage.run(stage.staging_of(name)).error().reason() == "TARGET_TAKEN");
  must("umount " + target + " && rmdir " + target);
  CHECK(mount_in(stage.run(stage.staging_of(name))).target() == target);
  must("umount " + target + " && rmdir -p --ignore-fail-on-non-empty " + target);
  CHECK(stage.run(stage.staging_of(name)).error().reason() == "TARGET_UNUSABLE");
}

TEST_CASE("a file system that is smaller than its volume grows when it is staged [P-CSI-35]",
          "[system]") {
  const std::string type = GENERATE("ext4", "xfs", "btrfs");
  CAPTURE(type);
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string target = stage.path(stage.staging);
  static_cast<void>(mount_in(stage.run(stage.staging_of(name, type))));
  const auto size = [&target] {
    return std::stoll(output_of("df --output=size -B1 " + target + " | tail -1"));
  };
  const auto before = size();
  must("umount " + target);
  REQUIRE(stage.mounts.client()
              .resize(contract::resize_request("thin", name, 480 * contract::kMiB))
              .ok());
  static_cast<void>(mount_in(stage.run(stage.staging_of(name, type))));
  CHECK(size() > before + 100 * contract::kMiB);
}

TEST_CASE("an ext4 with a recorded error is repaired when it is staged [P-CSI-33]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  must("mkfs.ext4 -q " + device_of(name) + " && debugfs -w -R 'set_super_value state 3' " +
       device_of(name));
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  CHECK(output_of("dumpe2fs -h " + device_of(name) + " 2>/dev/null | grep state:")
            .find("with errors") == std::string::npos);
}

TEST_CASE("nothing is mounted when a raw block volume is staged [P-CSI-36]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  auto job = stage.staging_of(name);
  *job.mutable_stage()->mutable_target() = ipc::to_proto(
      model::KubeletTarget{.kind = model::TargetKind::kBlockStaging, .volume = "pv-1"});
  const auto reply = stage.run(job);
  REQUIRE(reply.has_mounts());
  CHECK(reply.mounts().mounts().empty());
  CHECK(shell("blkid -p " + device_of(name)).exit_code != 0);
  job.mutable_stage()->mutable_device()->set_name("no-such-volume");
  CHECK(stage.run(job).error().reason() == "VOLUME_INACTIVE");
}

TEST_CASE("the staged file system is visible for each pod, with the pod's access [P-CSI-37]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  auto job = stage.publication_of(name, CsiStage::mount_of("a"));
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  const auto writable = mount_in(stage.run(job));
  CHECK(writable.target() == stage.path(CsiStage::mount_of("a")));
  CHECK_FALSE(writable.read_only());
  for (const char* const option : {"nosuid", "nodev", "noexec"}) CHECK_FALSE(has(writable, option));
  must("echo kept > " + writable.target() + "/file");

  auto other = stage.publication_of(name, CsiStage::mount_of("b"));
  other.mutable_publish()->add_mount_flags("noexec");
  SECTION("by the request") { other.mutable_publish()->set_read_only(true); }
  SECTION("by a flag") { other.mutable_publish()->add_mount_flags("ro"); }
  const auto read_only = mount_in(stage.run(other));
  CHECK(read_only.read_only());
  CHECK(has(read_only, "noexec"));
  CHECK(output_of("cat " + read_only.target() + "/file") == "kept");
  CHECK(shell("touch " + read_only.target() + "/file").exit_code != 0);
  must("touch " + writable.target() + "/file");

  CHECK(mount_in(stage.run(job)).SerializeAsString() == writable.SerializeAsString());
  job.mutable_publish()->set_read_only(true);
  CHECK(stage.run(job).error().reason() == "MOUNT_DIFFERS");
}

TEST_CASE("a volume that is not staged is staged when it is published [P-CSI-31, P-CSI-37]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string staging = stage.path(stage.staging);
  const std::string target = stage.path(CsiStage::mount_of("b"));
  auto job = stage.publication_of(name, CsiStage::mount_of("b"));
  job.mutable_publish()->set_fs_type("xfs");
  SECTION("a blank volume") {
    job.mutable_publish()->set_read_only(true);
    const auto mount = mount_in(stage.run(job));
    CHECK(mount.read_only());
    CHECK(mode_of(staging) == "2777 0 0");
  }
  SECTION("TopoLVM has mounted it for another pod") {
    const std::string other = stage.path(CsiStage::mount_of("a"));
    must("mkfs.xfs -q " + device_of(name) + " && mkdir " + other + " && mount " + device_of(name) +
         " " + other + " && echo kept > " + other + "/file");
    const auto mount = mount_in(stage.run(job));
    CHECK(output_of("cat " + mount.target() + "/file") == "kept");
    CHECK(mode_of(staging) == "755 0 0");
  }
  CHECK(host_sees(staging, "FSTYPE") == "xfs");
  CHECK(output_of("findmnt -rn -o TARGET | grep -c '^" + target + "$'") == "1");
}

TEST_CASE("a volume whose staging target is taken is not published [P-CSI-37]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  must("mount -t tmpfs tmpfs " + stage.path(stage.staging));
  const auto job = stage.publication_of(name, CsiStage::mount_of("a"));
  CHECK(stage.run(job).error().reason() == "NOT_MOUNTED");
  CHECK_FALSE(fs::exists(stage.path(CsiStage::mount_of("a"))));
  CHECK(shell("blkid -p " + device_of(name)).exit_code != 0);
  must("umount " + stage.path(stage.staging));
}

TEST_CASE("a volume that TopoLVM has mounted for a pod is published already [P-CSI-38]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string target = stage.path(CsiStage::mount_of("a"));
  must("mkfs.ext4 -q " + device_of(name) + " && mkdir " + target + " && mount " + device_of(name) +
       " " + target);
  const auto mount = mount_in(stage.run(stage.publication_of(name, CsiStage::mount_of("a"))));
  CHECK(mount.target() == target);
  CHECK(output_of("findmnt -rn -o TARGET | grep -c '^" + target + "$'") == "1");
  CHECK(shell("mountpoint -q " + stage.path(stage.staging)).exit_code != 0);
  // The new driver can stage it, too.
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
}

TEST_CASE("a copy of an xfs is staged beside it, also if it is no snapshot [P-CSI-34]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  static_cast<void>(mount_in(stage.run(stage.staging_of(name, "xfs"))));
  // The jobs of this program do not say that the copy is a snapshot.
  const std::string copy = stage.mounts.snapshot(name, "rw");
  const model::KubeletTarget target{.kind = model::TargetKind::kStaging,
                                    .volume = std::string(64, 'b')};
  must("mkdir -p " + stage.path(target));
  auto job = stage.staging_of(copy);
  *job.mutable_stage()->mutable_target() = ipc::to_proto(target);
  CHECK(has(mount_in(stage.run(job)), "nouuid"));
}

TEST_CASE("a volume for a single writer is published for one pod [P-CSI-22]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const bool is_block = GENERATE(false, true);
  CAPTURE(is_block);
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  const auto target_of = [is_block](const std::string& pod) {
    return is_block ? CsiStage::device_for(pod) : CsiStage::mount_of(pod);
  };
  auto first = stage.publication_of(name, target_of("a"));
  first.mutable_publish()->set_single_writer(true);
  const auto mount = mount_in(stage.run(first));
  // Repeated call.
  CHECK(mount_in(stage.run(first)).target() == mount.target());
  auto second = stage.publication_of(name, target_of("b"));
  second.mutable_publish()->set_single_writer(true);
  const auto refused = stage.run(second);
  CHECK(refused.error().reason() == "PUBLISHED_ELSEWHERE");
  CHECK(refused.error().message().find(mount.target()) != std::string::npos);
  second.mutable_publish()->set_single_writer(false);
  CHECK(mount_in(stage.run(second)).target() == stage.path(target_of("b")));
}

TEST_CASE("the device of a volume is published as a file of the pod [P-CSI-39]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const std::string target = stage.path(CsiStage::device_for("a"));
  const auto job = stage.publication_of(name, CsiStage::device_for("a"));
  const auto mount = mount_in(stage.run(job));
  CHECK(mount.target() == target);
  CHECK(mount.name() == name);
  CHECK(output_of("stat -c '%F %Hr:%Lr' " + target) ==
        fmt::format("block special file {}:{}", mount.major(), mount.minor()));
  must("printf data | dd of=" + target + " conv=notrunc status=none && sync");
  CHECK(output_of("head -c 4 " + device_of(name)) == "data");
  CHECK(mount_in(stage.run(job)).SerializeAsString() == mount.SerializeAsString());
  CHECK(output_of("findmnt -rn -o TARGET | grep -c '^" + target + "$'") == "1");
  // As TopoLVM published it.
  const std::string other = stage.path(CsiStage::device_for("b"));
  must("touch " + other + " && mount --bind " + device_of(name) + " " + other);
  CHECK(mount_in(stage.run(stage.publication_of(name, CsiStage::device_for("b")))).target() ==
        other);
}

TEST_CASE("a device is read-only while it is published read-only alone [P-CSI-40]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto is_read_only = [&name] {
    return output_of("blockdev --getro " + device_of(name)) == "1";
  };
  auto reader = stage.publication_of(name, CsiStage::device_for("a"));
  reader.mutable_publish()->set_read_only(true);
  const auto mount = mount_in(stage.run(reader));
  CHECK(mount.read_only());
  CHECK(is_read_only());
  CHECK(shell("printf x | dd of=" + mount.target() + " conv=notrunc,fsync status=none").exit_code !=
        0);
  CHECK(mount_in(stage.run(reader)).read_only());
  reader.mutable_publish()->set_read_only(false);
  CHECK(stage.run(reader).error().reason() == "MOUNT_DIFFERS");
  CHECK(is_read_only());
  const auto writer = mount_in(stage.run(stage.publication_of(name, CsiStage::device_for("b"))));
  CHECK_FALSE(writer.read_only());
  CHECK_FALSE(is_read_only());
  must("printf x | dd of=" + writer.target() + " conv=notrunc,fsync status=none");
}

TEST_CASE("a volume that only kubelet uses has a usage and grows [P-CSI-43]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::mount_of("a");
  internal::MountJob usage;
  *usage.mutable_usage()->mutable_device() = stage.device(name);
  *usage.mutable_usage()->mutable_kubelet_target() = ipc::to_proto(pod);
  CHECK(stage.run(usage).error().reason() == "NOT_MOUNTED");
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  const auto before = stage.run(usage).usage();
  CHECK(before.target() == stage.path(pod));
  CHECK(before.fs_type() == "ext4");
  CHECK(before.volume_bytes() == 320 * contract::kMiB);
  CHECK(before.bytes().total() > 0);
  CHECK(before.inodes().total() > 0);

  REQUIRE(stage.mounts.client()
              .resize(contract::resize_request("thin", name, 480 * contract::kMiB))
              .ok());
  internal::MountJob growth;
  *growth.mutable_grow() = stage.device(name);
  const auto grown = stage.run(growth);
  CHECK(grown.grown().bytes_before() == 320 * contract::kMiB);
  CHECK(grown.grown().bytes_after() == 480 * contract::kMiB);
  CHECK(stage.run(usage).usage().bytes().total() > before.bytes().total());
}

TEST_CASE("the usage of a published device is its size [P-CSI-43]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::device_for("a");
  internal::MountJob usage;
  *usage.mutable_usage()->mutable_device() = stage.device(name);
  *usage.mutable_usage()->mutable_kubelet_target() = ipc::to_proto(pod);
  CHECK(stage.run(usage).error().reason() == "NOT_MOUNTED");
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  const auto reply = stage.run(usage);
  CHECK(reply.usage().target() == stage.path(pod));
  CHECK(reply.usage().volume_bytes() == 320 * contract::kMiB);
  CHECK_FALSE(reply.usage().has_bytes());
  CHECK_FALSE(reply.usage().read_only());
}
