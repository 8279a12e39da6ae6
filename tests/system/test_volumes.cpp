// What a volume is on the disk and in the kernel, beyond what the protocol shows.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;

TEST_CASE("a new volume shows nothing of what its extents held [P-CREATE-7]", "[system]") {
  Scratch scratch;
  const std::string first = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", first, 64 * kMiB)).ok());
  must("mkfs.ext4 -q /dev/vg_thick/" + first);
  CHECK(output_of("blkid -p -o value -s TYPE /dev/vg_thick/" + first) == "ext4");
  REQUIRE(scratch.client.remove(remove_request("thick", first)).ok());
  const std::string second = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", second, 64 * kMiB)).ok());
  // blkid finds nothing: exit code 2.
  CHECK(shell("blkid -p /dev/vg_thick/" + second).exit_code == 2);
}

TEST_CASE("a mounted volume stays, and the answer names its mount point [P-REMOVE-3]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 64 * kMiB)).ok());
  must("mkfs.ext4 -q /dev/vg_thick/" + name + " && mkdir -p /run/mounted && mount /dev/vg_thick/" +
       name + " /run/mounted");
  const auto refused = scratch.client.remove(remove_request("thick", name));
  CHECK(refused.code == Code::kFailedPrecondition);
  INFO(refused.message);
  CHECK(refused.says("/run/mounted"));
  must("umount /run/mounted");
  CHECK(scratch.client.remove(remove_request("thick", name)).ok());
}

TEST_CASE("a read-only snapshot is read-only in LVM and in the kernel [P-SNAP-9]", "[system]") {
  Scratch scratch;
  const std::string source = scratch.name("thin");
  const std::string snap = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thin", source, 64 * kMiB)).ok());
  const auto made = scratch.client.snapshot(snapshot_request("thin", snap, source, "ro"));
  REQUIRE(made.ok());
  CHECK(made.response.snapshot().attr().substr(0, 2) == "Vr");
  CHECK(output_of("blockdev --getro /dev/vg_thick/" + snap) == "1");
}

TEST_CASE("the private tags say what was asked for [P-TAG-2]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  auto request = create_request("thick", name, 8 * kMiB);
  request.add_tags("owner=me");
  request.add_tags("#odd");
  request.set_lvcreate_option_class("linear");
  REQUIRE(scratch.client.create(request).ok());
  CHECK(output_of("lvs --noheadings -o lv_tags vg_thick/" + name + " | tr -d ' '") ==
        "#odd,lvmd.v1:class=thick,lvmd.v1:opt=linear,lvmd.v1:size=8388608,owner=me");
}

TEST_CASE("dmeventd watches the pool that a thin volume is made in", "[system]") {
  Scratch scratch;
  REQUIRE(scratch.client.create(create_request("thin", scratch.name("thin"), 8 * kMiB)).ok());
  CHECK(output_of("lvs --noheadings -o seg_monitor vg_thick/pool | tr -d ' '") == "monitored");
}

TEST_CASE("a held lock is waited for, then its holder is named [P-RUN-5, P-CODE-7]", "[system]") {
  Scratch scratch;
  // flock(1) holds LVM's lock of the group for 8 s, longer than lvmd waits.
  must("(flock -x 9; sleep 8) 9>/run/lock/lvm/V_vg_thick >/dev/null 2>&1 & sleep 0.5");
  const auto answer =
      scratch.client.create(create_request("thick", scratch.name("thick"), 8 * kMiB));
  INFO(answer.message);
  CHECK(answer.code == Code::kAborted);
  CHECK(answer.says("vg_thick is locked by"));
  CHECK(scratch.client.list("thick").ok());
  CHECK(eventually([&] {
    return scratch.client.create(create_request("thick", scratch.name("thick"), 8 * kMiB)).ok();
  }));
}
