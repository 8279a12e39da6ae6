// MountService on real volumes, seen by the whole host.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace fs = std::filesystem;
namespace v1 = lvmd::v1;

namespace {

constexpr std::int64_t kSize = 320 * kMiB;
constexpr std::chrono::seconds kReachLimit{30};

std::string at(const std::string& below) { return "/run/lvmd/mounts/" + below; }

// Volumes of the case, unmounted before they are removed.
class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    for (const std::string& name : names_) {
      v1::UnmountRequest request;
      request.set_device_class("thin");
      request.set_name(name);
      if (const auto gone = client().unmount(request); !gone.ok() && gone.code != Code::kNotFound)
        WARN("still mounted: " << name << ": " << gone.message);
    }
  }

  [[nodiscard]] Client& client() { return scratch_.client; }

  // A blank thin volume.
  std::string volume() {
    names_.push_back(scratch_.name("thin"));
    const auto made = client().create(create_request("thin", names_.back(), kSize));
    INFO(made.message);
    REQUIRE(made.ok());
    return names_.back();
  }
  std::string snapshot(const std::string& source, const std::string& access) {
    names_.push_back(scratch_.name("thin"));
    const auto made = client().snapshot(snapshot_request("thin", names_.back(), source, access));
    INFO(made.message);
    REQUIRE(made.ok());
    return names_.back();
  }

 private:
  Scratch scratch_;
  std::vector<std::string> names_;
};

v1::MountRequest request_for(const std::string& name, const std::string& format = {}) {
  v1::MountRequest request;
  request.set_device_class("thin");
  request.set_name(name);
  request.set_fs_type(format);
  request.set_format(!format.empty());
  return request;
}

v1::UnmountRequest unmount_of(const std::string& target) {
  v1::UnmountRequest request;
  request.set_target(target);
  return request;
}

v1::MountEntry mounted(Client& client, const v1::MountRequest& request) {
  const auto answer = client.mount(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  return answer.response.mount();
}

std::string device_of(const std::string& name) { return "/dev/vg_thick/" + name; }

// A column of findmnt(8) as PID 1 sees it; "" when nothing is mounted there.
std::string host_sees(const std::string& target, const std::string& column) {
  const Done done = shell("nsenter -t 1 -m findmnt -n -M " + target + " -o " + column);
  std::string output = done.exit_code == 0 ? done.output : "";
  while (!output.empty() && (output.back() == '\n' || output.back() == ' ')) output.pop_back();
  return output;
}

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
  Stage stage;
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
  Stage stage;
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

TEST_CASE("a snapshot of a mounted xfs is mounted beside it, read-only when it is [P-MOUNT-6]",
          "[system]") {
  Stage stage;
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
  Stage stage;
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
  Stage stage;
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

TEST_CASE("another mount at a target stays, and so does another kind [P-MOUNT-8]", "[system]") {
  Stage stage;
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
  Stage stage;
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
  Stage stage;
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
  Stage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  must("mkdir -p /run/lvmd/mounts/0-by-hand && mount -t tmpfs none /run/lvmd/mounts/0-by-hand");
  const auto list = stage.client().list_mounts();
  REQUIRE(list.ok());
  REQUIRE(list.response.mounts_size() == 2);
  CHECK(list.response.mounts(0).target() == "/run/lvmd/mounts/0-by-hand");
  CHECK(list.response.mounts(0).fs_type() == "tmpfs");
  CHECK(list.response.mounts(0).name().empty());
  CHECK(list.response.mounts(1).SerializeAsString() == mount.SerializeAsString());
  CHECK(stage.client().unmount(unmount_of("/run/lvmd/mounts/0-by-hand")).ok());
  CHECK(stage.client().list_mounts().response.mounts_size() == 1);
}

TEST_CASE("a mount outlives lvmd [P-MOUNT-1]", "[system]") {
  Stage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  must("systemctl restart lvmd.service");
  CHECK(host_sees(mount.target(), "FSTYPE") == "ext4");
  Client again{kSocket};
  CHECK(mounted(again, request_for(name)).target() == mount.target());
}

TEST_CASE("a mounter killed at any step loses nothing, the same call goes on [P-MOUNT-12]",
          "[system]") {
  const std::string step = GENERATE("mounter.begun", "mounter.blank", "mounter.made",
                                    "mounter.folder", "mounter.mounted", "mounter.gone");
  CAPTURE(step);
  Stage stage;
  const std::string name = stage.volume();
  const bool unmounting = step == "mounter.gone";
  if (unmounting) static_cast<void>(mounted(stage.client(), request_for(name, "ext4")));
  const auto call = [&](Client& client) {
    return unmounting ? client.unmount(unmount_of(at(name))).code
                      : client.mount(request_for(name, "ext4")).code;
  };
  Code interrupted = Code::kOk;
  std::jthread caller;
  {
    const Failpoint failpoint{step};
    caller = std::jthread{[&] {
      Client client{kSocket};
      interrupted = call(client);
    }};
    int pid = 0;
    REQUIRE(eventually(
        [&] {
          pid = pid_of("lvmd-mounter");
          return pid != 0 && waits_at(pid, step);
        },
        kReachLimit));
    REQUIRE(::kill(pid, SIGKILL) == 0);
  }
  caller.join();
  CHECK(interrupted == Code::kUnavailable);
  CHECK(call(stage.client()) == Code::kOk);
  CHECK(host_sees(at(name), "FSTYPE") == (unmounting ? "" : "ext4"));
  CHECK(fs::exists(at(name)) != unmounting);
}

TEST_CASE("a mounter is where PID 1 is, with what mounting needs and no more [P-MOUNT-1]",
          "[system]") {
  Stage stage;
  const std::string name = stage.volume();
  Code answer = Code::kUnknown;
  std::jthread caller;
  {
    const Failpoint failpoint{"mounter.begun"};
    caller = std::jthread{[&] {
      Client client{kSocket};
      answer = client.mount(request_for(name, "ext4")).code;
    }};
    int pid = 0;
    REQUIRE(eventually(
        [&] {
          pid = pid_of("lvmd-mounter");
          return pid != 0 && waits_at(pid, "mounter.begun");
        },
        kReachLimit));
    CHECK(output_of(fmt::format("readlink /proc/{}/ns/mnt", pid)) ==
          output_of("readlink /proc/1/ns/mnt"));
    // CAP_DAC_OVERRIDE 1, CAP_DAC_READ_SEARCH 2, CAP_SYS_CHROOT 18, CAP_SYS_PTRACE 19,
    // CAP_SYS_ADMIN 21.
    CHECK(status_of(pid, "CapBnd") == "00000000002c0006");
    CHECK(status_of(pid, "CapEff") == "00000000002c0006");
    CHECK(status_of(pid, "NoNewPrivs") == "1");
  }
  caller.join();
  CHECK(answer == Code::kOk);
  // A worker has neither CAP_SYS_CHROOT nor CAP_SYS_PTRACE.
  const auto worker = std::stoull(status_of(pid_of("lvmd-worker vg_thick"), "CapBnd"), nullptr, 16);
  CHECK((worker & ((1ULL << 18U) | (1ULL << 19U))) == 0);
}

TEST_CASE("a mount that hangs holds up no other, and not lvmd's end [P-MOUNT-14]", "[system]") {
  Stage stage;
  const std::string stuck = stage.volume();
  const std::string other = stage.volume();
  must("mkfs.ext4 -q " + device_of(stuck) + " && dmsetup suspend " + device_of(stuck));
  CHECK(stage.client().mount(request_for(stuck), std::chrono::seconds{2}).code ==
        Code::kDeadlineExceeded);
  CHECK(mounted(stage.client(), request_for(other, "ext4")).name() == other);
  CHECK(stage.client().list_mounts().ok());
  // It ends without the one that hangs, which goes on when it can.
  must("systemctl stop lvmd.service");
  CHECK(output_of("systemctl show -P Result lvmd.service") == "success");
  CHECK(pid_of("lvmd-mounter") != 0);
  must("dmsetup resume " + device_of(stuck));
  CHECK(eventually([&] { return host_sees(at(stuck), "FSTYPE") == "ext4"; }));
  must("systemctl start lvmd.service");
  Client again{kSocket};
  CHECK(mounted(again, request_for(stuck)).name() == stuck);
}
