// What cases about CSI volumes stand on: a root directory of kubelet, and mounter jobs that this
// program executes itself.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/job.hpp"
#include "tests/system/mount_stage.hpp"

namespace lvmd::system_tests {

// A root directory with the directories that kubelet makes for the volume "pv-1" and the pods "a"
// and "b". What is mounted below it is unmounted at the end.
class CsiStage {
 public:
  CsiStage() {
    for (const char* const directory :
         {"plugins/kubernetes.io/csi/volumeDevices/publish/pv-1",
          "plugins/kubernetes.io/csi/volumeDevices/staging/pv-1",
          "pods/a/volumes/kubernetes.io~csi/pv-1", "pods/b/volumes/kubernetes.io~csi/pv-1"})
      std::filesystem::create_directories(root.path + "/" + directory);
    std::filesystem::create_directories(path(staging));
  }
  CsiStage(const CsiStage&) = delete;
  CsiStage& operator=(const CsiStage&) = delete;
  ~CsiStage() {
    static_cast<void>(shell("umount -R $(findmnt -rn -o TARGET | grep ^" + root.path +
                            "/ | sort -r); rm -rf --one-file-system " + root.path));
  }

  [[nodiscard]] std::string path(const model::KubeletTarget& target) const {
    return path_of(place_of(target, root));
  }
  static model::KubeletTarget mount_of(const std::string& pod) {
    return {.kind = model::TargetKind::kPodMount, .volume = "pv-1", .pod = pod};
  }
  static model::KubeletTarget device_for(const std::string& pod) {
    return {.kind = model::TargetKind::kPodDevice, .volume = "pv-1", .pod = pod};
  }

  internal::VolumeDevice device(const std::string& name) {
    const auto listed = contract::listed(mounts.client(), "thin", name);
    internal::VolumeDevice device;
    device.set_volume_group("vg_thick");
    device.set_name(name);
    device.set_major(listed.dev_major());
    device.set_minor(listed.dev_minor());
    device.set_writable(true);
    return device;
  }

  internal::MountReply run(internal::MountJob job) const {
    job.add_roots("/run/lvmd/mounts");
    *job.mutable_kubelet() = ipc::to_proto(root);
    return mounts::mounter::run_job(job);
  }
  internal::MountJob staging_of(const std::string& name, const std::string& fs_type = {}) {
    internal::MountJob job;
    *job.mutable_stage()->mutable_device() = device(name);
    *job.mutable_stage()->mutable_target() = ipc::to_proto(staging);
    job.mutable_stage()->set_fs_type(fs_type);
    return job;
  }
  internal::MountJob publication_of(const std::string& name, const model::KubeletTarget& target) {
    internal::MountJob job;
    *job.mutable_publish()->mutable_device() = device(name);
    *job.mutable_publish()->mutable_target() = ipc::to_proto(target);
    if (target.kind == model::TargetKind::kPodMount)
      *job.mutable_publish()->mutable_staging() = ipc::to_proto(staging);
    return job;
  }
  static internal::MountJob unmount_of(const model::KubeletTarget& target) {
    internal::MountJob job;
    *job.mutable_unmount()->mutable_kubelet_target() = ipc::to_proto(target);
    return job;
  }

  const model::KubeletRoot root{.path = "/run/test-kubelet", .driver = "topolvm.io"};
  const model::KubeletTarget staging{.kind = model::TargetKind::kStaging,
                                     .volume = std::string(64, 'a')};
  // Destroyed after the mounts of this object.
  MountStage mounts;
};

// The mount of a reply, which must be one.
inline internal::MountedVolume mount_in(const internal::MountReply& reply) {
  INFO(reply.error().message());
  REQUIRE(reply.mounts().mounts_size() == 1);
  return reply.mounts().mounts(0);
}

}  // namespace lvmd::system_tests
