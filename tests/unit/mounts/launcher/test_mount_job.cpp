#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/launcher/mount_job.hpp"

using namespace lvmd;
using namespace lvmd::mounts;

namespace {

const std::vector<std::string> kRoots{"/run/lvmd/mounts"};
const std::vector<std::string> kGroups{"vg0"};
const JobLimits kLimits{.roots = kRoots, .volume_groups = kGroups};
const JobLimits kCsiLimits{.roots = kRoots,
                           .volume_groups = kGroups,
                           .kubelet = model::KubeletRoot{.path = "/k", .driver = "topolvm.io"}};

internal::MountJob good_mount() {
  internal::MountJob job;
  internal::MountVolume& mount = *job.mutable_mount();
  mount.mutable_device()->set_volume_group("vg0");
  mount.mutable_device()->set_name("pvc-1");
  mount.set_target("/run/lvmd/mounts/pvc-1");
  return job;
}

const model::KubeletTarget kStagingTarget{.kind = model::TargetKind::kStaging,
                                          .volume = std::string(64, 'a')};
const model::KubeletTarget kBlockStagingTarget{.kind = model::TargetKind::kBlockStaging,
                                               .volume = "pv-1"};
const model::KubeletTarget kPodMountTarget{
    .kind = model::TargetKind::kPodMount, .volume = "pv-1", .pod = "a-1"};
const model::KubeletTarget kPodDeviceTarget{
    .kind = model::TargetKind::kPodDevice, .volume = "pv-1", .pod = "a-1"};

internal::MountJob good_stage() {
  internal::MountJob job;
  internal::StageVolume& stage = *job.mutable_stage();
  *stage.mutable_device() = good_mount().mount().device();
  *stage.mutable_target() = ipc::to_proto(kStagingTarget);
  return job;
}

bool is_refused(const internal::MountJob& job, const JobLimits& limits = kLimits) {
  const auto checked = checked_mount_job(job, limits);
  return !checked && checked.error().code == Code::kInvalidArgument;
}

}  // namespace

TEST_CASE("a job gets the supervisor's roots, whatever it brought [P-MOUNT-2]", "[supervisor]") {
  internal::MountJob job = good_mount();
  job.add_roots("/");
  job.mutable_mount()->set_fs_type("ext4");
  job.mutable_mount()->set_format(true);
  job.mutable_mount()->add_options("noatime");
  const auto checked = checked_mount_job(job, kLimits);
  REQUIRE(checked);
  REQUIRE(checked->roots_size() == 1);
  CHECK(checked->roots(0) == "/run/lvmd/mounts");
  CHECK(checked->mount().format());
  internal::MountJob list;
  list.mutable_list();
  CHECK(checked_mount_job(list, kLimits)->roots_size() == 1);
}

TEST_CASE("a server gone mad mounts nothing else [P-MOUNT-2, P-MOUNT-3, P-MOUNT-5]",
          "[supervisor]") {
  struct Case {
    const char* what;
    void (*change)(internal::MountVolume&);
  };
  const auto [what, change] = GENERATE(values<Case>({
      {"another group", [](auto& m) { m.mutable_device()->set_volume_group("root_vg"); }},
      {"no volume", [](auto& m) { m.mutable_device()->clear_name(); }},
      {"a name that is a path", [](auto& m) { m.mutable_device()->set_name("../sda"); }},
      {"no target", [](auto& m) { m.clear_target(); }},
      {"a target elsewhere", [](auto& m) { m.set_target("/etc"); }},
      {"a target that climbs", [](auto& m) { m.set_target("/run/lvmd/mounts/../../etc"); }},
      {"another file system", [](auto& m) { m.set_fs_type("overlay"); }},
      {"another option", [](auto& m) { m.add_options("suid"); }},
      {"format without a type", [](auto& m) { m.set_format(true); }},
      {"bind_from elsewhere", [](auto& m) { m.set_bind_from("/root"); }},
      {"bind_from with format",
       [](auto& m) {
         m.set_bind_from("/run/lvmd/mounts/a");
         m.set_format(true);
         m.set_fs_type("xfs");
       }},
  }));
  CAPTURE(what);
  internal::MountJob job = good_mount();
  REQUIRE_FALSE(is_refused(job));
  change(*job.mutable_mount());
  CHECK(is_refused(job));
}

TEST_CASE("an unmount names a target or a volume [P-MOUNT-10]", "[supervisor]") {
  internal::MountJob job;
  CHECK(is_refused(job));
  internal::UnmountVolume& unmount = *job.mutable_unmount();
  CHECK(is_refused(job));
  unmount.set_target("/run/lvmd/mounts/a");
  CHECK_FALSE(is_refused(job));
  unmount.set_target("/run/lvmd/mounts");
  CHECK(is_refused(job));
  unmount.set_target("/run/lvmd/mounts/a");
  *unmount.mutable_device() = good_mount().mount().device();
  CHECK(is_refused(job));
  unmount.clear_target();
  CHECK_FALSE(is_refused(job));
  unmount.mutable_device()->set_volume_group("root_vg");
  CHECK(is_refused(job));
}

TEST_CASE("only a volume of a configured group grows [P-MOUNT-3, P-MOUNT-16]", "[supervisor]") {
  internal::MountJob job;
  *job.mutable_grow() = good_mount().mount().device();
  const auto checked = checked_mount_job(job, kLimits);
  REQUIRE(checked);
  CHECK(checked->roots_size() == 1);
  job.mutable_grow()->set_volume_group("root_vg");
  CHECK(is_refused(job));
  job.mutable_grow()->set_volume_group("vg0");
  job.mutable_grow()->set_name("../sda");
  CHECK(is_refused(job));
  job.mutable_grow()->Clear();
  CHECK(is_refused(job));
}

TEST_CASE("a usage is of a configured group and a target below a root [P-MOUNT-2, P-MOUNT-18]",
          "[supervisor]") {
  internal::MountJob job;
  internal::GetUsage& usage = *job.mutable_usage();
  CHECK(is_refused(job));
  *usage.mutable_device() = good_mount().mount().device();
  const auto checked = checked_mount_job(job, kLimits);
  REQUIRE(checked);
  CHECK(checked->roots_size() == 1);
  usage.set_target("/run/lvmd/mounts/a");
  CHECK_FALSE(is_refused(job));
  usage.set_target("/run/lvmd/mounts/../../etc");
  CHECK(is_refused(job));
  usage.clear_target();
  usage.mutable_device()->set_volume_group("root_vg");
  CHECK(is_refused(job));
}

TEST_CASE("a job gets the supervisor's root of kubelet, whatever it brought [P-CSI-30]",
          "[supervisor]") {
  internal::MountJob job = good_stage();
  job.mutable_kubelet()->set_path("/");
  job.mutable_kubelet()->set_driver("other");
  const auto checked = checked_mount_job(job, kCsiLimits);
  REQUIRE(checked);
  CHECK(checked->kubelet().path() == "/k");
  CHECK(checked->kubelet().driver() == "topolvm.io");
  job = good_mount();
  job.mutable_kubelet()->set_path("/");
  CHECK_FALSE(checked_mount_job(job, kLimits)->has_kubelet());
}

TEST_CASE("only a volume of a configured group is staged, at a staging target [P-CSI-30, P-CSI-34]",
          "[supervisor]") {
  internal::MountJob job = good_stage();
  internal::StageVolume& stage = *job.mutable_stage();
  CHECK(is_refused(job));
  stage.set_fs_type("xfs");
  stage.add_mount_flags("nosuid");
  stage.add_mount_flags("logbufs=8");
  CHECK_FALSE(is_refused(job, kCsiLimits));
  SECTION("another group") { stage.mutable_device()->set_volume_group("root_vg"); }
  SECTION("a target of a pod") { *stage.mutable_target() = ipc::to_proto(kPodMountTarget); }
  SECTION("no target") { stage.clear_target(); }
  SECTION("a part that is a path") { stage.mutable_target()->set_volume("../.."); }
  SECTION("another file system") { stage.set_fs_type("overlay"); }
  SECTION("an unknown flag") { stage.add_mount_flags("suid"); }
  SECTION("a flag of another file system") { stage.set_fs_type("ext4"); }
  SECTION("a flag of another file system than the default") { stage.clear_fs_type(); }
  CHECK(is_refused(job, kCsiLimits));
}

TEST_CASE("a raw block volume is staged at its own target [P-CSI-36]", "[supervisor]") {
  internal::MountJob job = good_stage();
  *job.mutable_stage()->mutable_target() = ipc::to_proto(kBlockStagingTarget);
  CHECK_FALSE(is_refused(job, kCsiLimits));
}

TEST_CASE(
    "a volume is published at a target of a pod, from its staging target [P-CSI-30, P-CSI-37]",
    "[supervisor]") {
  internal::MountJob job;
  internal::PublishVolume& publish = *job.mutable_publish();
  *publish.mutable_device() = good_mount().mount().device();
  *publish.mutable_target() = ipc::to_proto(kPodMountTarget);
  *publish.mutable_staging() = ipc::to_proto(kStagingTarget);
  CHECK(is_refused(job));
  publish.set_fs_type("ext4");
  publish.add_mount_flags("noexec");
  CHECK_FALSE(is_refused(job, kCsiLimits));
  SECTION("another group") { publish.mutable_device()->set_volume_group("root_vg"); }
  SECTION("a staging target") { *publish.mutable_target() = ipc::to_proto(kStagingTarget); }
  SECTION("a pod that is a path") { publish.mutable_target()->set_pod("../b"); }
  SECTION("from another pod's target") {
    *publish.mutable_staging() = ipc::to_proto(kPodMountTarget);
  }
  SECTION("from nowhere") { publish.clear_staging(); }
  SECTION("another file system") { publish.set_fs_type("overlay"); }
  SECTION("an unknown flag") { publish.add_mount_flags("suid"); }
  CHECK(is_refused(job, kCsiLimits));
}

TEST_CASE("a published device has nothing of a file system [P-CSI-39]", "[supervisor]") {
  internal::MountJob job;
  internal::PublishVolume& publish = *job.mutable_publish();
  *publish.mutable_device() = good_mount().mount().device();
  *publish.mutable_target() = ipc::to_proto(kPodDeviceTarget);
  CHECK_FALSE(is_refused(job, kCsiLimits));
  SECTION("a staging target") { *publish.mutable_staging() = ipc::to_proto(kBlockStagingTarget); }
  SECTION("a type") { publish.set_fs_type("ext4"); }
  SECTION("flags") { publish.add_mount_flags("noexec"); }
  CHECK(is_refused(job, kCsiLimits));
}

TEST_CASE("an unmount can name any target of kubelet, alone [P-CSI-30, P-CSI-41]", "[supervisor]") {
  const auto target =
      GENERATE(kStagingTarget, kBlockStagingTarget, kPodMountTarget, kPodDeviceTarget);
  internal::MountJob job;
  internal::UnmountVolume& unmount = *job.mutable_unmount();
  *unmount.mutable_kubelet_target() = ipc::to_proto(target);
  CHECK_FALSE(is_refused(job, kCsiLimits));
  CHECK(is_refused(job));
  SECTION("with another target") { unmount.set_target("/run/lvmd/mounts/a"); }
  SECTION("with a volume") { *unmount.mutable_device() = good_mount().mount().device(); }
  SECTION("with a part that is a path") {
    unmount.mutable_kubelet_target()->set_volume("../../etc");
  }
  CHECK(is_refused(job, kCsiLimits));
}

TEST_CASE("a usage can be of a target of kubelet where a volume is visible [P-CSI-43]",
          "[supervisor]") {
  internal::MountJob job;
  internal::GetUsage& usage = *job.mutable_usage();
  *usage.mutable_device() = good_mount().mount().device();
  for (const auto& target : {kStagingTarget, kPodMountTarget, kPodDeviceTarget}) {
    *usage.mutable_kubelet_target() = ipc::to_proto(target);
    CHECK_FALSE(is_refused(job, kCsiLimits));
    CHECK(is_refused(job));
  }
  SECTION("with another target") { usage.set_target("/run/lvmd/mounts/a"); }
  SECTION("where nothing is mounted") {
    *usage.mutable_kubelet_target() = ipc::to_proto(kBlockStagingTarget);
  }
  SECTION("another group") { usage.mutable_device()->set_volume_group("root_vg"); }
  CHECK(is_refused(job, kCsiLimits));
}
