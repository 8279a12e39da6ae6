#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/job.hpp"
#include "lvmd/mounts/mounter/published_device.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
using mounts::MountPoint;

namespace {

MountPoint node_at(const std::string& target, const std::string& root, bool read_only = false) {
  MountPoint mount{.target = target, .file_system = {0, 6}, .fs_type = "devtmpfs"};
  mount.root = root;
  mount.read_only = read_only;
  return mount;
}

}  // namespace

TEST_CASE("the publications of a device are the mounts of its node [P-CSI-39]", "[mounter]") {
  const mounts::ScratchTree sys;
  static_cast<void>(sys.write("253:7/dm/name", "vg-pvc--1\n"));
  auto on_tmpfs = node_at("/p/e", "/dm-7");
  on_tmpfs.fs_type = "tmpfs";
  const std::vector<MountPoint> table{node_at("/dev", "/"),
                                      node_at("/p/a", "/dm-7"),
                                      node_at("/p/b", "/dm-70"),
                                      node_at("/p/c", "/dm-77"),
                                      node_at("/p/d", "/mapper/vg-pvc--1"),
                                      on_tmpfs};
  const auto found = publications_of(table, {253, 7}, sys.path);
  REQUIRE(found.size() == 2);
  CHECK(found[0].target == "/p/a");
  CHECK(found[1].target == "/p/d");
  CHECK(publications_of(table, {253, 8}, sys.path).empty());
}

TEST_CASE("a device is read-only if it has read-only publications alone [P-CSI-40]", "[mounter]") {
  const MountPoint reader = node_at("/p/a", "/dm-7", true);
  const MountPoint writer = node_at("/p/b", "/dm-7");
  const MountPoint file_system{.target = "/srv",
                               .device = mounts::DeviceNumber{253, 7},
                               .file_system = {253, 7},
                               .fs_type = "ext4"};
  CHECK_FALSE(should_be_read_only({}, {}, {253, 7}));
  CHECK(should_be_read_only({}, {reader}, {253, 7}));
  CHECK(should_be_read_only({}, {reader, reader}, {253, 7}));
  CHECK_FALSE(should_be_read_only({}, {writer}, {253, 7}));
  CHECK_FALSE(should_be_read_only({}, {reader, writer}, {253, 7}));
  CHECK_FALSE(should_be_read_only({file_system}, {reader}, {253, 7}));
  CHECK(should_be_read_only({file_system}, {reader}, {253, 8}));
}

TEST_CASE("a volume whose device does not match is not published [P-CSI-37, P-CSI-39]",
          "[mounter]") {
  const mounts::ScratchTree kubelet;
  internal::MountJob job;
  *job.mutable_kubelet() =
      ipc::to_proto(model::KubeletRoot{.path = kubelet.path, .driver = "topolvm.io"});
  internal::PublishVolume& publish = *job.mutable_publish();
  publish.mutable_device()->set_volume_group("no_such_vg");
  publish.mutable_device()->set_name("pvc-1");
  publish.mutable_device()->set_major(4095);
  const auto kind = GENERATE(model::TargetKind::kPodMount, model::TargetKind::kPodDevice);
  *publish.mutable_target() =
      ipc::to_proto(model::KubeletTarget{.kind = kind, .volume = "pv-1", .pod = "a"});
  const auto reply = run_job(job);
  CHECK(reply.error().reason() == "VOLUME_INACTIVE");
  CHECK(std::filesystem::is_empty(kubelet.path));
}
