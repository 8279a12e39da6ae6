// The CSI driver under systemd, as kubelet and an administrator see it.
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/error.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/mount_stage.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd::contract;
using namespace lvmd::contract;
using namespace lvmd::system_tests;
namespace v1 = lvmd::v1;

namespace {

constexpr const char* kConfig = "/etc/topolvm/lvmd.yaml";
constexpr const char* kCsiSocket = "/var/lib/kubelet/plugins/topolvm.io/csi.sock";
constexpr const char* kRegistrationSocket =
    "/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock";

std::string call(const std::string& socket, const std::string& method) {
  return "grpcurl -plaintext -max-time 20 unix://" + socket + " " + method;
}

// A call of csi.v1.Node with this request.
std::string node_call(const std::string& method, const std::string& request) {
  return "grpcurl -plaintext -max-time 120 -d '" + request + "' unix://" + kCsiSocket +
         " csi.v1.Node/" + method;
}

// lvmd.yaml with `csi`. At the end lvmd runs with the file of before and without its socket.
class CsiInFile {
 public:
  explicit CsiInFile(const std::string& csi) {
    must(std::string{"cp "} + kConfig + " /run/kept.yaml");
    must("echo '" + csi + "' >> " + kConfig);
  }
  CsiInFile(const CsiInFile&) = delete;
  CsiInFile& operator=(const CsiInFile&) = delete;
  ~CsiInFile() {
    // Not must(): a destructor does not throw.
    static_cast<void>(shell(std::string{"systemctl stop lvmd.service lvmd-csi.socket; "
                                        "cp /run/kept.yaml "} +
                            kConfig +
                            "; systemctl reset-failed lvmd.service; systemctl start lvmd.service"));
  }
};

constexpr const char* kCsiTargets = "/var/lib/kubelet/plugins/kubernetes.io/csi/";

std::string pod_target(const std::string& pod) {
  return "/var/lib/kubelet/pods/" + pod + "/volumes/kubernetes.io~csi/pv/mount";
}

// Mounts that are made by hand, and removed at the end at the latest.
class MountsByHand {
 public:
  MountsByHand() = default;
  MountsByHand(const MountsByHand&) = delete;
  MountsByHand& operator=(const MountsByHand&) = delete;
  ~MountsByHand() {
    while (!targets_.empty()) remove_last();
  }

  // On a directory.
  void mount(const std::string& source, const std::string& target) {
    must("mkdir -p " + target + " && mount " + source + " " + target);
    targets_.push_back(target);
  }
  // A device node on a file.
  void mount_node(const std::string& device, const std::string& target) {
    must("mkdir -p $(dirname " + target + ") && touch " + target + " && mount --bind $(realpath " +
         device + ") " + target);
    targets_.push_back(target);
  }
  void remove_last() {
    static_cast<void>(shell("umount " + targets_.back()));
    targets_.pop_back();
  }

 private:
  std::vector<std::string> targets_;
};

// The use of the volume when the stream reports it with this number of publications; absent when it
// does not in time.
std::optional<v1::VolumeInUse> reported(Stream<v1::VolumesInUse>& watch, const std::string& volume,
                                        std::uint32_t publications) {
  constexpr std::chrono::seconds kReportLimit{10};
  while (const auto message = watch.next(kReportLimit))
    for (const v1::VolumeInUse& use : message->volumes())
      if (use.name() == volume && use.publications() == publications) return use;
  return std::nullopt;
}

}  // namespace

TEST_CASE("with lvmd-csi.socket, kubelet finds the driver and calls it [P-CSI-1, P-CSI-2]",
          "[system]") {
  const CsiInFile csi{"csi: {node-name: node-1}"};
  must("systemctl stop lvmd.service && systemctl start lvmd-csi.socket lvmd.service");
  CHECK(output_of(call(kRegistrationSocket, "pluginregistration.Registration/GetInfo"))
            .find(kCsiSocket) != std::string::npos);
  const std::string info = output_of(call(kCsiSocket, "csi.v1.Node/NodeGetInfo"));
  INFO(info);
  CHECK(info.find("\"node-1\"") != std::string::npos);
  must("id outsider >/dev/null 2>&1 || useradd -M outsider");
  CHECK(shell("setpriv --reuid outsider --regid outsider --init-groups " + call(kCsiSocket, "list"))
            .exit_code != 0);
  CHECK(output_of(std::string{"stat -c %a "} + kCsiSocket + " " + kRegistrationSocket) ==
        "600\n600");
  CHECK(output_of("stat -c %a /var/lib/kubelet/plugins/topolvm.io") == "750");
  // lvmd keeps serving the sockets over a restart.
  must("systemctl restart lvmd.service");
  CHECK(shell(call(kCsiSocket, "csi.v1.Identity/Probe")).exit_code == 0);
  must("systemctl stop lvmd-csi.socket");
  CHECK(shell(std::string{"ls "} + kCsiSocket + " " + kRegistrationSocket).exit_code == 2);
}

TEST_CASE("csi without its sockets stops the start, naming path and unit [P-CSI-2]", "[system]") {
  const CsiInFile csi{"csi: {}"};
  const Done restarted = shell("systemctl restart lvmd.service");
  const std::string journal = output_of("journalctl -u lvmd.service --no-pager -n 30 -o cat");
  CHECK(restarted.exit_code != 0);
  CHECK(journal.find(std::string{"a socket of csi is "} + kCsiSocket +
                     ", but systemd listens on") != std::string::npos);
  CHECK(journal.find("enable lvmd-csi.socket") != std::string::npos);
}

TEST_CASE("check-config compares csi with lvmd-csi.socket [P-CLI-10]", "[system]") {
  const CsiInFile csi{"csi: {}"};
  CHECK(output_of(std::string{"lvmd check-config "} + kConfig).find("ok") != std::string::npos);
  must(std::string{"sed -i 's#^csi: .*#csi: {kubelet-root: /srv/kubelet}#' "} + kConfig);
  const Done differs = shell(std::string{"lvmd check-config "} + kConfig);
  CHECK(differs.exit_code == 1);
  CHECK(differs.output.find("lvmd needs the sockets /srv/kubelet/plugins/topolvm.io/csi.sock") !=
        std::string::npos);
  CHECK(differs.output.find("systemctl edit lvmd-csi.socket") != std::string::npos);
}

TEST_CASE("mounts at kubelet's targets are reported, whoever made them [P-MOUNT-21, P-MOUNT-23]",
          "[system]") {
  const std::string type = GENERATE("ext4", "btrfs");
  CAPTURE(type);
  const CsiInFile csi{"csi: {node-name: node-1}"};
  must("systemctl stop lvmd.service && systemctl start lvmd-csi.socket lvmd.service");
  MountStage stage;
  const std::string name = stage.volume();
  must("mkfs." + type + " -q " + device_of(name));
  const auto watch = stage.client().watch_mounts();
  REQUIRE(watch->next(kCallLimit));

  const std::string staging = kCsiTargets + ("topolvm.io/" + std::string(64, 'a')) + "/globalmount";
  MountsByHand mounts;
  mounts.mount(device_of(name), staging);
  auto use = reported(*watch, name, 0);
  REQUIRE(use);
  CHECK(use->volume_group() == "vg_thick");
  CHECK(use->staged());
  mounts.mount("--bind " + staging, pod_target("pod-1"));
  REQUIRE(reported(*watch, name, 1));
  mounts.mount_node(device_of(name), std::string{kCsiTargets} + "volumeDevices/publish/pv/pod-2");
  REQUIRE(reported(*watch, name, 2));
  mounts.remove_last();
  REQUIRE(reported(*watch, name, 1));
  mounts.remove_last();
  use = reported(*watch, name, 0);
  REQUIRE(use);
  CHECK(use->staged());
  mounts.remove_last();
  const auto last = watch->next(kCallLimit);
  REQUIRE(last);
  CHECK(last->volumes().empty());
}

TEST_CASE("kubelet's calls mount a volume for a pod, grow it and unmount it [P-CSI-22 to P-CSI-25]",
          "[system]") {
  const CsiInFile csi{"csi: {}"};
  must("systemctl stop lvmd.service && systemctl start lvmd-csi.socket lvmd.service");
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 64 * kMiB)).ok());
  // kubelet makes these directories.
  const std::string staging = "/var/lib/kubelet/plugins/kubernetes.io/csi/topolvm.io/" +
                              std::string(64, 'c') + "/globalmount";
  const std::string pod = "/var/lib/kubelet/pods/11-22/volumes/kubernetes.io~csi/pvc-1";
  const std::string target = pod + "/mount";
  must("mkdir -p -m 0750 " + staging + " '" + pod + "'");
  const std::string volume = "\"volume_id\": \"" + name + "\"";
  const std::string staged = volume + ", \"staging_target_path\": \"" + staging + "\"";
  const std::string capability =
      ", \"volume_capability\": {\"mount\": {\"fs_type\": \"ext4\"}, "
      "\"access_mode\": {\"mode\": \"SINGLE_NODE_WRITER\"}}";
  const std::string published = ", \"target_path\": \"" + target + "\"";
  const std::string path = ", \"volume_path\": \"" + target + "\"";
  const std::string stage = node_call("NodeStageVolume", "{" + staged + capability + "}");
  const std::string publish =
      node_call("NodePublishVolume", "{" + staged + published + capability + "}");
  for (int i = 0; i < 2; ++i) {
    CAPTURE(i);
    must(stage);
    must(publish);
  }
  CHECK(output_of("stat -c '%a' '" + target + "'") == "2777");
  must("echo data > '" + target + "/file'");
  CHECK(output_of("cat " + staging + "/file") == "data");
  const std::string stats = output_of(node_call("NodeGetVolumeStats", "{" + volume + path + "}"));
  CHECK(stats.find("INODES") != std::string::npos);

  REQUIRE(scratch.client.resize(resize_request("thick", name, 128 * kMiB)).ok());
  must(node_call("NodeExpandVolume", "{" + volume + path + "}"));
  CHECK(std::stoll(output_of("df -k --output=size '" + target + "' | tail -n 1")) > 100LL * 1024);

  const std::string unpublish = node_call("NodeUnpublishVolume", "{" + volume + published + "}");
  const std::string unstage = node_call("NodeUnstageVolume", "{" + staged + "}");
  for (int i = 0; i < 2; ++i) {
    CAPTURE(i);
    must(unpublish);
    must(unstage);
  }
  CHECK(shell("findmnt " + staging).exit_code != 0);
  CHECK(shell("ls '" + target + "'").exit_code != 0);
  must("rm -r /var/lib/kubelet/pods");
}

TEST_CASE("a pod gets the device of a raw block volume [P-CSI-22, P-CSI-39, P-CSI-40]",
          "[system]") {
  const CsiInFile csi{"csi: {}"};
  must("systemctl stop lvmd.service && systemctl start lvmd-csi.socket lvmd.service");
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  const std::string folder = "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices";
  const std::string staging = folder + "/staging/pvc-2";
  const std::string target = folder + "/publish/pvc-2/33-44";
  must("mkdir -p -m 0750 " + staging + " " + folder + "/publish/pvc-2");
  const std::string volume = "\"volume_id\": \"" + name + "\"";
  const std::string staged = volume + ", \"staging_target_path\": \"" + staging + "\"";
  const std::string capability =
      ", \"volume_capability\": {\"block\": {}, "
      "\"access_mode\": {\"mode\": \"SINGLE_NODE_WRITER\"}}";
  const std::string published = ", \"target_path\": \"" + target + "\"";
  const std::string write = "dd if=/dev/zero of=" + target + " bs=4096 count=1 conv=notrunc,fsync";
  must(node_call("NodeStageVolume", "{" + staged + capability + "}"));
  must(node_call("NodePublishVolume",
                 "{" + staged + published + capability + ", \"readonly\": true}"));
  CHECK(output_of("stat -c %F " + target) == "block special file");
  CHECK(shell(write).exit_code != 0);
  // The volume is in use, although nothing has opened it.
  CHECK(scratch.client.remove(remove_request("thick", name)).code ==
        lvmd::Code::kFailedPrecondition);
  must(node_call("NodeUnpublishVolume", "{" + volume + published + "}"));
  must(node_call("NodePublishVolume", "{" + staged + published + capability + "}"));
  CHECK(shell(write).exit_code == 0);
  must(node_call("NodeUnpublishVolume", "{" + volume + published + "}"));
  must(node_call("NodeUnstageVolume", "{" + staged + "}"));
  CHECK(shell("ls " + target).exit_code != 0);
}
