// MountService up to the mounter: refused calls, the mounter's jobs, and mounters that are slow or
// have ended.
#include <array>
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/mount_stage.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

v1::MountRequest mount_request(const std::string& device_class, const std::string& name) {
  v1::MountRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  return request;
}

v1::UnmountRequest unmount_request(const std::string& target) {
  v1::UnmountRequest request;
  request.set_target(target);
  return request;
}

struct Wrong {
  const char* what;
  void (*change)(v1::MountRequest&);
  const char* field;
  const char* reason;
};

constexpr auto kWrong = std::to_array<Wrong>({
    {"no name", [](v1::MountRequest& r) { r.clear_name(); }, "name", "INVALID_NAME"},
    {"a name that is a path", [](v1::MountRequest& r) { r.set_name("../one"); }, "name",
     "INVALID_NAME"},
    {"a target outside", [](v1::MountRequest& r) { r.set_target("/etc/one"); }, "target",
     "INVALID_TARGET"},
    {"a root as target", [](v1::MountRequest& r) { r.set_target("/srv/volumes"); }, "target",
     "INVALID_TARGET"},
    {"a target that climbs", [](v1::MountRequest& r) { r.set_target("/srv/volumes/../x"); },
     "target", "INVALID_TARGET"},
    {"another file system", [](v1::MountRequest& r) { r.set_fs_type("vfat"); }, "fs_type",
     "INVALID_FILE_SYSTEM"},
    {"format without a type", [](v1::MountRequest& r) { r.set_format(true); }, "fs_type",
     "INVALID_COMBINATION"},
    {"another option", [](v1::MountRequest& r) { r.add_options("suid"); }, "options",
     "INVALID_MOUNT_OPTION"},
    {"bind_from outside", [](v1::MountRequest& r) { r.set_bind_from("/etc"); }, "bind_from",
     "INVALID_TARGET"},
    {"bind_from with format",
     [](v1::MountRequest& r) {
       r.set_bind_from("/mnt/a/b");
       r.set_format(true);
       r.set_fs_type("ext4");
     },
     "bind_from", "INVALID_COMBINATION"},
    {"bind_from itself",
     [](v1::MountRequest& r) {
       r.set_bind_from("/mnt/a/b");
       r.set_target("/mnt/a/b");
     },
     "bind_from", "INVALID_COMBINATION"},
    {"an option of the file system with bind_from",
     [](v1::MountRequest& r) {
       r.set_bind_from("/mnt/a/b");
       r.add_options("discard");
     },
     "options", "INVALID_COMBINATION"},
});

}  // namespace

TEST_CASE(
    "the error for an invalid mount names the field, and nothing runs [P-MOUNT-2, P-MOUNT-4, "
    "P-MOUNT-5, P-MOUNT-7, P-MOUNT-9]",
    "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.what);
    auto request = mount_request("thick", "one");
    wrong.change(request);
    const auto answer = client.mount(request);
    INFO(answer.message);
    CHECK(answer.code == Code::kInvalidArgument);
    CHECK(answer.reason == wrong.reason);
    CHECK(answer.metadata.at("field") == wrong.field);
    CHECK(answer.says(wrong.field));
  }
  CHECK(node->mounters().jobs().empty());
}

TEST_CASE("class and volume are checked before anything runs [P-MOUNT-3]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  CHECK(client.mount(mount_request("gold", "one")).reason == "UNKNOWN_DEVICE_CLASS");
  const auto missing = client.mount(mount_request("thick", "two"));
  CHECK(missing.code == Code::kNotFound);
  CHECK(missing.reason == "VOLUME_NOT_FOUND");
  CHECK(missing.metadata.at("lv") == "two");
  // The volume belongs to another class.
  CHECK(client.mount(mount_request("thin", "one")).code == Code::kNotFound);
  CHECK(client.mount(mount_request("thick", "pool")).code == Code::kNotFound);
  CHECK(client.mount(mount_request("absent", "one")).reason == "VOLUME_GROUP_UNAVAILABLE");
  CHECK(client.mount(mount_request("poolless", "one")).reason == "POOL_UNAVAILABLE");

  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& group) { group.deactivate("one"); }));
  REQUIRE(eventually([&] { return listed(client, "thick", "one").dev_major() == 0; }));
  const auto inactive = client.mount(mount_request("thick", "one"));
  CHECK(inactive.code == Code::kFailedPrecondition);
  CHECK(inactive.reason == "VOLUME_INACTIVE");
  CHECK(node->mounters().jobs().empty());
}

TEST_CASE("a hidden volume can't be mounted [P-MOUNT-3]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  REQUIRE(node->worker("vg_thick").hide({"one"}));
  REQUIRE(node->worker("vg_thick").wait_for_hidden_acknowledged(1, kLimit));
  CHECK(client.mount(mount_request("thick", "one")).code == Code::kNotFound);
}

TEST_CASE("a mounter gets the device, and the answer has the mount [P-MOUNT-2, P-MOUNT-3]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  const auto volume = listed(client, "thick", "one");
  auto request = mount_request("", "one");
  request.set_read_only(true);
  request.set_fs_type("xfs");
  request.set_format(true);
  request.add_options("noatime");
  const auto answer = client.mount(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.mount().target() == "/srv/volumes/one");
  CHECK(answer.response.mount().volume_group() == "vg_thick");
  CHECK(answer.response.mount().name() == "one");
  CHECK(answer.response.mount().dev_minor() == volume.dev_minor());

  REQUIRE(node->mounters().jobs().size() == 1);
  const internal::MountJob job = node->mounters().jobs().front();
  CHECK(job.roots().empty());
  const internal::MountVolume& mount = job.mount();
  CHECK(mount.device().volume_group() == "vg_thick");
  CHECK(mount.device().name() == "one");
  CHECK(mount.device().major() == volume.dev_major());
  CHECK(mount.device().minor() == volume.dev_minor());
  CHECK(mount.device().writable());
  CHECK_FALSE(mount.device().snapshot());
  CHECK(mount.target() == "/srv/volumes/one");
  CHECK(mount.read_only());
  CHECK(mount.fs_type() == "xfs");
  CHECK(mount.format());
  REQUIRE(mount.options_size() == 1);
  CHECK(mount.options(0) == "noatime");
}

TEST_CASE("a mounter's job says whether the volume is a snapshot or read-only [P-MOUNT-6]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thin", "source", kExtent)).ok());
  REQUIRE(client.snapshot(snapshot_request("thin", "snap", "source", "ro")).ok());
  REQUIRE(client.mount(mount_request("thin", "snap")).ok());
  REQUIRE(client.mount(mount_request("thin", "source")).ok());
  const auto jobs = node->mounters().jobs();
  CHECK(jobs[0].mount().device().snapshot());
  CHECK_FALSE(jobs[0].mount().device().writable());
  CHECK_FALSE(jobs[1].mount().device().snapshot());
}

TEST_CASE("an unmount accepts a target or a volume, not both [P-MOUNT-10]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  v1::UnmountRequest request;
  CHECK(client.unmount(request).reason == "INVALID_COMBINATION");
  request.set_target("/srv/volumes/one");
  request.set_name("one");
  CHECK(client.unmount(request).reason == "INVALID_COMBINATION");
  CHECK(client.unmount(unmount_request("/etc")).reason == "INVALID_TARGET");
  CHECK(node->mounters().jobs().empty());

  const auto by_target = client.unmount(unmount_request("/srv/volumes/a/b"));
  REQUIRE(by_target.ok());
  REQUIRE(by_target.response.targets_size() == 1);
  CHECK(by_target.response.targets(0) == "/srv/volumes/a/b");
  request.clear_target();
  REQUIRE(client.unmount(request).ok());
  const auto jobs = node->mounters().jobs();
  CHECK_FALSE(jobs[0].unmount().has_device());
  CHECK(jobs[1].unmount().device().volume_group() == "vg_thick");
  CHECK(jobs[1].unmount().device().name() == "one");
  request.set_name("two");
  CHECK(client.unmount(request).code == Code::kNotFound);
}

TEST_CASE("a list has volumes of configured groups only [P-MOUNT-12]", "[rpc]") {
  const auto node = start_node();
  internal::MountReply reply;
  internal::MountedVolume& ours = *reply.mutable_mounts()->add_mounts();
  ours.set_target("/srv/volumes/a");
  ours.set_volume_group("vg_thick");
  ours.set_name("one");
  ours.set_major(253);
  ours.set_fs_type("xfs");
  ours.add_options("ro");
  ours.set_read_only(true);
  internal::MountedVolume& other = *reply.mutable_mounts()->add_mounts();
  other.set_target("/srv/volumes/b");
  other.set_volume_group("vg_host");
  other.set_name("root");
  node->mounters().answer_with(reply);
  const auto list = Client{node->socket()}.list_mounts();
  REQUIRE(list.ok());
  REQUIRE(list.response.mounts_size() == 2);
  CHECK(list.response.mounts(0).name() == "one");
  CHECK(list.response.mounts(0).volume_group() == "vg_thick");
  CHECK(list.response.mounts(0).dev_major() == 253);
  CHECK(list.response.mounts(0).fs_type() == "xfs");
  CHECK(list.response.mounts(0).read_only());
  CHECK(list.response.mounts(0).options(0) == "ro");
  CHECK(list.response.mounts(1).target() == "/srv/volumes/b");
  CHECK(list.response.mounts(1).name().empty());
  CHECK(list.response.mounts(1).volume_group().empty());
}

TEST_CASE("a mounter's error has its reason and the volume [P-MOUNT-11]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  internal::MountReply reply;
  reply.mutable_error()->set_code(9);
  reply.mutable_error()->set_message("/srv/volumes/one is busy: bash (pid 7) uses it");
  reply.mutable_error()->set_reason("MOUNT_BUSY");
  node->mounters().answer_with(reply);
  v1::UnmountRequest request;
  request.set_name("one");
  const auto answer = client.unmount(request);
  CHECK(answer.code == Code::kFailedPrecondition);
  CHECK(answer.reason == "MOUNT_BUSY");
  CHECK(answer.says("bash (pid 7)"));
  CHECK(answer.metadata.at("lv") == "one");
  CHECK(answer.metadata.at("vg") == "vg_thick");
}

TEST_CASE("a hanging mount delays no other call, and a deadline ends its call [P-MOUNT-14]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  node->mounters().hold();
  auto patient = begin([&] { return client.mount(mount_request("thick", "one")); });
  REQUIRE(node->mounters().wait_for_jobs(1, kLimit));
  CHECK(client.mount(mount_request("thick", "one"), 300ms).code == Code::kDeadlineExceeded);
  REQUIRE(node->mounters().wait_for_jobs(2, kLimit));
  CHECK(client.list("thick").ok());
  CHECK(client.create(create_request("thick", "two", kExtent)).ok());
  // The server logs the end of the second call when it has ended it.
  REQUIRE(eventually(
      [&] { return node->log().find("Mount vg_thick/one: CANCELLED") != std::string::npos; }));
  REQUIRE(node->mounters().release());
  CHECK(patient.get().ok());
  CHECK(client.list_mounts().ok());
}

TEST_CASE("a mounter that dies makes its call UNAVAILABLE, and the next call succeeds [P-MOUNT-12]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  node->mounters().hold();
  auto lost = begin([&] { return client.mount(mount_request("thick", "one")); });
  REQUIRE(node->mounters().wait_for_jobs(1, kLimit));
  node->mounters().die();
  const auto answer = lost.get();
  CHECK(answer.code == Code::kUnavailable);
  CHECK(answer.reason == "MOUNTER_GONE");
  REQUIRE(node->mounters().release());
  CHECK(client.mount(mount_request("thick", "one")).ok());
}

TEST_CASE("an error of the supervisor is the answer", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  node->mounters().refuse_next(
      make_error(Code::kUnavailable, "16 mounts are under way").because("TOO_MANY_MOUNTERS"));
  const auto refused = client.mount(mount_request("thick", "one"));
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.reason == "TOO_MANY_MOUNTERS");
  CHECK(client.mount(mount_request("thick", "one")).ok());
}

TEST_CASE("a hanging mount does not delay the server's end [P-MOUNT-14, P-STOP-2]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  node->mounters().hold();
  auto hanging = begin([&] { return client.mount(mount_request("thick", "one")); });
  REQUIRE(node->mounters().wait_for_jobs(1, kLimit));
  REQUIRE(node->send_stop());
  CHECK(node->wait_for_exit(2s) == 0);
  const auto answer = hanging.get();
  CHECK(answer.code == Code::kUnavailable);
  CHECK(answer.reason == "STOPPING");
}

TEST_CASE(
    "Watch sends an empty list at once without a CSI driver, and ends with the server "
    "[P-MOUNT-20, P-MOUNT-23, P-WATCH-6]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto watch = client.watch_mounts();
  const auto first = watch->next(kLimit);
  REQUIRE(first);
  CHECK(first->csi_driver().empty());
  CHECK(first->volumes().empty());
  REQUIRE(node->send_stop());
  const auto end = watch->end(kLimit);
  REQUIRE(end);
  CHECK(end->code == Code::kUnavailable);
}

TEST_CASE("Watch names the CSI driver, and has no volume without a mount of kubelet [P-MOUNT-20]",
          "[rpc]") {
  const auto node = start_csi_node();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thick", "one", kExtent)).ok());
  const auto first = client.watch_mounts()->next(kLimit);
  REQUIRE(first);
  CHECK(first->csi_driver() == "topolvm.io");
  CHECK(first->volumes().empty());
}
