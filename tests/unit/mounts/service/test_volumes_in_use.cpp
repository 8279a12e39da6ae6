#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/mounts/service/volumes_in_use.hpp"

using namespace lvmd;
using namespace lvmd::mounts;

namespace {

const model::KubeletRoot kKubelet{.path = "/var/lib/kubelet", .driver = "topolvm.io"};

std::string staging(char digit) {
  return "/var/lib/kubelet/plugins/kubernetes.io/csi/topolvm.io/" + std::string(64, digit) +
         "/globalmount";
}
std::string pod_mount(const std::string& pod, const std::string& volume = "pv") {
  return "/var/lib/kubelet/pods/" + pod + "/volumes/kubernetes.io~csi/" + volume + "/mount";
}
std::string pod_device(const std::string& pod) {
  return "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv/" + pod;
}

// A mount of the volume vg0/NAME; the empty name: of no volume.
MountPoint mount(const std::string& target, const std::string& name) {
  return {.target = target, .source = name};
}

std::optional<model::VolumeName> by_source(const MountPoint& mount) {
  if (mount.source.empty()) return std::nullopt;
  return model::VolumeName{.volume_group = "vg0", .volume = mount.source};
}

v1::VolumesInUse uses(const std::vector<MountPoint>& table,
                      const std::vector<CallFailures::Failure>& failures = {}) {
  return volumes_in_use(kKubelet, table, by_source, failures);
}

}  // namespace

TEST_CASE("without mounts and failures, the message has the driver only [P-MOUNT-20]", "[mount]") {
  const auto message = uses({mount("/", "root"), mount("/srv/volumes/a", "one")});
  CHECK(message.csi_driver() == "topolvm.io");
  CHECK(message.volumes().empty());
}

TEST_CASE("a volume is staged, and published to each pod with a mount of it [P-MOUNT-21]",
          "[mount]") {
  const auto message = uses({mount(staging('a'), "two"), mount(pod_mount("pod-1"), "two"),
                             mount(pod_mount("pod-2"), "two"), mount(pod_device("pod-3"), "one"),
                             mount(staging('b'), "three")});
  REQUIRE(message.volumes_size() == 3);
  CHECK(message.volumes(0).name() == "one");
  CHECK(message.volumes(0).volume_group() == "vg0");
  CHECK_FALSE(message.volumes(0).staged());
  CHECK(message.volumes(0).publications() == 1);
  CHECK(message.volumes(1).name() == "three");
  CHECK(message.volumes(1).staged());
  CHECK(message.volumes(1).publications() == 0);
  CHECK(message.volumes(2).name() == "two");
  CHECK(message.volumes(2).staged());
  CHECK(message.volumes(2).publications() == 2);
}

TEST_CASE("several mounts in one pod are one publication [P-MOUNT-21]", "[mount]") {
  const auto message = uses({mount(pod_mount("pod-1"), "one"), mount(pod_mount("pod-1"), "one"),
                             mount(pod_mount("pod-1", "other"), "one")});
  REQUIRE(message.volumes_size() == 1);
  CHECK(message.volumes(0).publications() == 1);
}

TEST_CASE("mounts at other places, and of other devices, do not count [P-MOUNT-21]", "[mount]") {
  CHECK(uses({mount("/var/lib/kubelet/pods/pod-1/volume-subpaths/pv/c/0", "one"),
              mount("/var/lib/kubelet/plugins/kubernetes.io/csi/other.io/" + std::string(64, 'a') +
                        "/globalmount",
                    "one"),
              mount("/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/pv/dev/pod-1", "one"),
              mount(pod_mount("pod-1"), ""), mount("/var/lib/kubelet", "one")})
            .volumes()
            .empty());
}

TEST_CASE("failures are listed with their volume, mounted or not [P-MOUNT-20, P-MOUNT-22]",
          "[mount]") {
  const auto message = uses(
      {mount(staging('a'), "one")},
      {{.volume = "gone", .call = CsiCall::kUnstage, .reason = "MOUNT_BUSY", .message = "busy"},
       {.volume = "one", .call = CsiCall::kPublish, .reason = "MOUNT_DIFFERS", .message = "ro"},
       {.volume = "one", .call = CsiCall::kExpand, .reason = "GROW_REFUSED", .message = "no"}});
  REQUIRE(message.volumes_size() == 2);
  const v1::VolumeInUse& gone = message.volumes(0);
  CHECK(gone.name() == "gone");
  CHECK(gone.volume_group().empty());
  REQUIRE(gone.failures_size() == 1);
  CHECK(gone.failures(0).call() == "NodeUnstageVolume");
  CHECK(gone.failures(0).reason() == "MOUNT_BUSY");
  CHECK(gone.failures(0).message() == "busy");
  const v1::VolumeInUse& one = message.volumes(1);
  CHECK(one.volume_group() == "vg0");
  CHECK(one.staged());
  REQUIRE(one.failures_size() == 2);
  CHECK(one.failures(0).call() == "NodePublishVolume");
  CHECK(one.failures(1).call() == "NodeExpandVolume");
}
