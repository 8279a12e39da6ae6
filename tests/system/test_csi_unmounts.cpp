// The end of mounts of CSI volumes. This program executes the mounter's jobs itself.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/system/csi_stage.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd;
using namespace lvmd::system_tests;
namespace fs = std::filesystem;

namespace {

bool is_mounted(const std::string& target) {
  return shell("findmnt -rn -M " + target).exit_code == 0;
}

}  // namespace

TEST_CASE(
    "an unpublished and unstaged volume is mounted nowhere, and its device may be gone "
    "[P-CSI-41]",
    "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::mount_of("a");
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  // A second layer, as of a driver that mounts again.
  must("mount --bind " + stage.path(stage.staging) + " " + stage.path(pod));
  CHECK(stage.run(CsiStage::unmount_of(pod)).mounts().mounts_size() == 2);
  CHECK_FALSE(fs::exists(stage.path(pod)));
  CHECK(is_mounted(stage.path(stage.staging)));
  CHECK(stage.run(CsiStage::unmount_of(stage.staging)).mounts().mounts_size() == 1);
  CHECK_FALSE(is_mounted(stage.path(stage.staging)));
  // kubelet made this directory.
  CHECK(fs::is_directory(stage.path(stage.staging)));
  must("udevadm settle && lvchange -an vg_thick/" + name);
  for (const auto& target : {pod, stage.staging}) {
    const auto reply = stage.run(CsiStage::unmount_of(target));
    REQUIRE(reply.has_mounts());
    CHECK(reply.mounts().mounts().empty());
  }
  must("lvchange -ay vg_thick/" + name);
}

TEST_CASE("a directory that kubelet or a pod has filled stays [P-CSI-41]", "[system]") {
  const CsiStage stage;
  const auto pod = CsiStage::mount_of("a");
  must("mkdir " + stage.path(pod) + " && touch " + stage.path(pod) + "/data");
  CHECK(stage.run(CsiStage::unmount_of(pod)).has_mounts());
  CHECK(fs::exists(stage.path(pod) + "/data"));
}

TEST_CASE("a busy mount of a pod stays, and the error names the process [P-CSI-42]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::mount_of("a");
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  const std::string pid =
      output_of("cd " + stage.path(pod) + " && { sleep 1000 >/dev/null 2>&1 & echo $!; }");
  const auto busy = stage.run(CsiStage::unmount_of(pod));
  CHECK(busy.error().reason() == "MOUNT_BUSY");
  CHECK(busy.error().message().find("sleep (pid " + pid + ")") != std::string::npos);
  CHECK(is_mounted(stage.path(pod)));
  must("kill " + pid);
  CHECK(eventually([&] { return stage.run(CsiStage::unmount_of(pod)).has_mounts(); }));
  CHECK_FALSE(fs::exists(stage.path(pod)));
}

TEST_CASE(
    "a published device is removed with its file, unless a process uses it [P-CSI-41, "
    "P-CSI-42]",
    "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::device_for("a");
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  const std::string pid =
      output_of("{ sleep 1000 3<" + stage.path(pod) + " >/dev/null 2>&1 & echo $!; }");
  const auto busy = stage.run(CsiStage::unmount_of(pod));
  CHECK(busy.error().reason() == "MOUNT_BUSY");
  CHECK(busy.error().message().find("sleep (pid " + pid + ")") != std::string::npos);
  must("kill " + pid);
  CHECK(eventually([&] { return stage.run(CsiStage::unmount_of(pod)).has_mounts(); }));
  CHECK_FALSE(fs::exists(stage.path(pod)));
  CHECK(stage.run(CsiStage::unmount_of(pod)).has_mounts());
}

TEST_CASE("a device is writable again after its last read-only publication [P-CSI-40]",
          "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto is_read_only = [&name] {
    return output_of("blockdev --getro " + device_of(name)) == "1";
  };
  auto reader = stage.publication_of(name, CsiStage::device_for("a"));
  reader.mutable_publish()->set_read_only(true);
  static_cast<void>(mount_in(stage.run(reader)));
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, CsiStage::device_for("b")))));
  CHECK_FALSE(is_read_only());
  CHECK(stage.run(CsiStage::unmount_of(CsiStage::device_for("b"))).has_mounts());
  CHECK(is_read_only());
  CHECK(stage.run(CsiStage::unmount_of(CsiStage::device_for("a"))).has_mounts());
  CHECK_FALSE(is_read_only());
}

TEST_CASE("staging mounts are released while pods keep the volume [P-CLI-11]", "[system]") {
  CsiStage stage;
  const std::string name = stage.mounts.volume();
  const auto pod = CsiStage::mount_of("a");
  static_cast<void>(mount_in(stage.run(stage.staging_of(name))));
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  const std::string config = "/run/release.yaml";
  must("{ cat /etc/topolvm/lvmd.yaml; echo 'csi: {driver-name: " + stage.root.driver +
       ", kubelet-root: " + stage.root.path + "}'; } >" + config);
  const auto release = [&config] { return shell("lvmd csi release-staging --config " + config); };

  // A process that serves the driver's socket.
  const std::string socket = stage.root.path + "/plugins/" + stage.root.driver + "/csi.sock";
  must("mkdir -p $(dirname " + socket +
       ") && systemd-run -q --unit=driver --socket-property=ListenStream=" + socket + " true");
  const Done refused = release();
  must("systemctl stop driver.socket driver.service; rm -f " + socket);
  CHECK(refused.exit_code == 1);
  CHECK(refused.output.find("systemctl stop lvmd.service") != std::string::npos);
  CHECK(is_mounted(stage.path(stage.staging)));

  // A process that uses the staging mount.
  const std::string pid = output_of("cd " + stage.path(stage.staging) +
                                    " && { sleep 1000 >/dev/null 2>&1 & echo $!; }");
  const Done busy = release();
  CHECK(busy.exit_code == 1);
  CHECK(busy.output.find("sleep (pid " + pid + ")") != std::string::npos);
  CHECK(busy.output.find("0 staging mounts") != std::string::npos);
  must("kill " + pid);

  // The process of the pod does not count.
  const std::string user =
      output_of("cd " + stage.path(pod) + " && { sleep 1000 >/dev/null 2>&1 & echo $!; }");
  Done released;
  CHECK(eventually([&] { return (released = release()).exit_code == 0; }));
  INFO(released.output);
  CHECK(released.output.find("of volume vg_thick/" + name) != std::string::npos);
  CHECK_FALSE(is_mounted(stage.path(stage.staging)));
  CHECK(fs::is_directory(stage.path(stage.staging)));
  CHECK(is_mounted(stage.path(pod)));
  CHECK(shell("kill -0 " + user).exit_code == 0);
  CHECK(release().exit_code == 0);

  // What kubelet asks for next: the same publication again, and both ends.
  static_cast<void>(mount_in(stage.run(stage.publication_of(name, pod))));
  must("kill " + user);
  CHECK(eventually([&] { return stage.run(CsiStage::unmount_of(pod)).has_mounts(); }));
  CHECK(stage.run(CsiStage::unmount_of(stage.staging)).has_mounts());
}
