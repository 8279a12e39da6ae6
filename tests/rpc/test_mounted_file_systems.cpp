// The calls of MountService for a mounted file system: GrowFileSystem and GetUsage.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/mount_stage.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

v1::GrowFileSystemRequest grow_request(const std::string& device_class, const std::string& name) {
  v1::GrowFileSystemRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  return request;
}

v1::GetUsageRequest usage_request(const std::string& device_class, const std::string& name) {
  v1::GetUsageRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  return request;
}

}  // namespace

TEST_CASE("a file system grows by a job with the device, and both sizes are returned [P-MOUNT-16]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  const auto volume = listed(client, "thick", "one");
  const auto grown = client.grow_file_system(grow_request("", "one"));
  INFO(grown.message);
  REQUIRE(grown.ok());
  CHECK(grown.response.fs_type() == "ext4");
  CHECK(grown.response.bytes_before() == fakes::kFakeSize);
  CHECK(grown.response.bytes_after() == 2 * fakes::kFakeSize);

  REQUIRE(node->mounters().jobs().size() == 1);
  const internal::MountJob job = node->mounters().jobs().front();
  REQUIRE(job.has_grow());
  CHECK(job.grow().volume_group() == "vg_thick");
  CHECK(job.grow().name() == "one");
  CHECK(job.grow().major() == volume.dev_major());
  CHECK(job.grow().minor() == volume.dev_minor());
  CHECK(job.grow().writable());
}

TEST_CASE("only an existing, active volume of the class grows [P-MOUNT-3, P-MOUNT-16]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  CHECK(client.grow_file_system(grow_request("gold", "one")).reason == "UNKNOWN_DEVICE_CLASS");
  CHECK(client.grow_file_system(grow_request("thick", "")).reason == "INVALID_NAME");
  CHECK(client.grow_file_system(grow_request("thick", "../one")).reason == "INVALID_NAME");
  const auto missing = client.grow_file_system(grow_request("thick", "two"));
  CHECK(missing.code == Code::kNotFound);
  CHECK(missing.reason == "VOLUME_NOT_FOUND");
  CHECK(client.grow_file_system(grow_request("thin", "one")).code == Code::kNotFound);
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& group) { group.deactivate("one"); }));
  REQUIRE(eventually([&] { return listed(client, "thick", "one").dev_major() == 0; }));
  const auto inactive = client.grow_file_system(grow_request("thick", "one"));
  CHECK(inactive.code == Code::kFailedPrecondition);
  CHECK(inactive.reason == "VOLUME_INACTIVE");
  CHECK(node->mounters().jobs().empty());
}

TEST_CASE("a mounter's refusal to grow arrives with its reason [P-MOUNT-17]", "[rpc]") {
  const auto node = node_with_volume();
  internal::MountReply reply;
  reply.mutable_error()->set_code(9);
  reply.mutable_error()->set_message("volume vg_thick/one is mounted read-only at /mnt/one");
  reply.mutable_error()->set_reason("MOUNT_READ_ONLY");
  node->mounters().answer_with(reply);
  const auto refused = Client{node->socket()}.grow_file_system(grow_request("thick", "one"));
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.reason == "MOUNT_READ_ONLY");
  CHECK(refused.metadata.at("lv") == "one");
}

TEST_CASE("a deadline ends the call, and the growth goes on [P-MOUNT-14, P-MOUNT-16]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  node->mounters().hold();
  CHECK(client.grow_file_system(grow_request("thick", "one"), 300ms).code ==
        Code::kDeadlineExceeded);
  REQUIRE(node->mounters().wait_for_jobs(1, kLimit));
  CHECK(client.list("thick").ok());
  REQUIRE(node->mounters().release());
  CHECK(client.grow_file_system(grow_request("thick", "one")).ok());
}

TEST_CASE("the usage is what the mounter found at the device and target [P-MOUNT-18, P-MOUNT-19]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  const auto volume = listed(client, "thick", "one");
  internal::MountReply reply;
  v1::GetUsageResponse& found = *reply.mutable_usage();
  found.set_volume_bytes(1000);
  found.set_target("/srv/volumes/a");
  found.set_fs_type("ext4");
  found.set_read_only(true);
  found.mutable_bytes()->set_total(900);
  found.mutable_bytes()->set_used(500);
  found.mutable_bytes()->set_available(350);
  found.mutable_inodes()->set_total(64);
  found.add_errors()->set_kind("errors_count");
  found.mutable_errors(0)->set_count(3);
  node->mounters().answer_with(reply);
  auto request = usage_request("", "one");
  request.set_target("/srv/volumes/a");
  const auto usage = client.usage(request);
  INFO(usage.message);
  REQUIRE(usage.ok());
  CHECK(usage.response.SerializeAsString() == found.SerializeAsString());

  REQUIRE(node->mounters().jobs().size() == 1);
  const internal::MountJob job = node->mounters().jobs().front();
  REQUIRE(job.has_usage());
  CHECK(job.usage().target() == "/srv/volumes/a");
  CHECK(job.usage().device().volume_group() == "vg_thick");
  CHECK(job.usage().device().name() == "one");
  CHECK(job.usage().device().minor() == volume.dev_minor());
}

TEST_CASE("a usage needs an existing, active volume and a target below a root [P-MOUNT-18]",
          "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  CHECK(client.usage(usage_request("gold", "one")).reason == "UNKNOWN_DEVICE_CLASS");
  CHECK(client.usage(usage_request("thick", "../one")).reason == "INVALID_NAME");
  CHECK(client.usage(usage_request("thick", "two")).code == Code::kNotFound);
  CHECK(client.usage(usage_request("thin", "one")).reason == "VOLUME_NOT_FOUND");
  auto request = usage_request("thick", "one");
  for (const char* const target : {"/etc", "/srv/volumes", "/srv/volumes/../x"}) {
    CAPTURE(target);
    request.set_target(target);
    const auto wrong = client.usage(request);
    CHECK(wrong.code == Code::kInvalidArgument);
    CHECK(wrong.reason == "INVALID_TARGET");
    CHECK(wrong.metadata.at("field") == "target");
  }
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& group) { group.deactivate("one"); }));
  REQUIRE(eventually([&] { return listed(client, "thick", "one").dev_major() == 0; }));
  CHECK(client.usage(usage_request("thick", "one")).reason == "VOLUME_INACTIVE");
  CHECK(node->mounters().jobs().empty());
}

TEST_CASE("a usage that hangs delays no other call [P-MOUNT-14, P-MOUNT-18]", "[rpc]") {
  const auto node = node_with_volume();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thick", "two", kExtent)).ok());
  node->mounters().hold();
  CHECK(client.usage(usage_request("thick", "one"), 300ms).code == Code::kDeadlineExceeded);
  auto hanging = begin([&] { return client.usage(usage_request("thick", "one")); });
  REQUIRE(node->mounters().wait_for_jobs(2, kLimit));
  CHECK(client.list("thick").ok());
  auto other = begin([&] { return client.usage(usage_request("thick", "two")); });
  REQUIRE(node->mounters().wait_for_jobs(3, kLimit));
  REQUIRE(node->mounters().release());
  CHECK(hanging.get().ok());
  CHECK(other.get().ok());
}
