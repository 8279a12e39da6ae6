// What a volume is on the disk and in the kernel, beyond what the protocol shows.
#include <catch2/catch.hpp>
#include <thread>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
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

TEST_CASE("nobody claims what a new volume's extents held before [P-CREATE-9]", "[system]") {
  // For these udev's rules let a device be claimed: as part of an array (a superblock of
  // format 1.2, of which libblkid looks at magic, version and place), and as a physical volume.
  const auto [type, write] = GENERATE(table<std::string, std::string>({
      {"linux_raid_member",
       "printf '\\374\\116\\053\\251\\001\\000\\000\\000' | dd of=$NODE bs=1 seek=4096 "
       "status=none; "
       "printf '\\010' | dd of=$NODE bs=1 seek=4240 status=none"},
      {"LVM2_member", "pvcreate -q -y --config devices/scan_lvs=1 $NODE"},
  }));
  CAPTURE(type);
  // An earlier volume that goes without udev's having seen what is on it.
  must(
      "set -e; lvcreate -q -y -L 64M -n hand_earlier vg_thick; udevadm settle; "
      "udevadm control --stop-exec-queue; trap 'udevadm control --start-exec-queue' EXIT; "
      "NODE=$(readlink -f /dev/vg_thick/hand_earlier); " +
      write + "; test $(blkid -p -o value -s TYPE $NODE) = " + type +
      "; lvremove -q -f -y --noudevsync vg_thick/hand_earlier");
  must("udevadm settle; rm -f /dev/vg_thick/hand_earlier");

  Scratch scratch;
  const std::string name = scratch.name("thick");
  const std::string node = "/dev/vg_thick/" + name;
  Answer<proto::CreateLVResponse> made;
  {
    std::jthread call;
    const Failpoint held{"worker.ran"};
    call = std::jthread{[&] {
      Client client{kSocket};
      made = client.create(create_request("thick", name, 64 * kMiB));
    }};
    REQUIRE(eventually([] { return waits_at(pid_of("lvmd-worker vg_thick"), "worker.ran"); }));
    // udev has its time before the volume is made blank.
    must("until test -e " + node + "; do sleep 0.1; done; udevadm settle");
    CHECK(output_of("blkid -p -o value -s TYPE " + node) == type);
    const std::string known = output_of("udevadm info " + node);
    CHECK(known.contains("DM_NOSCAN=1"));
    CHECK_FALSE(known.contains("ID_FS_TYPE"));
  }
  INFO(made.message);
  CHECK(made.ok());
  CHECK(shell("blkid -p " + node).exit_code == 2);
  // From now on udev looks as at any other volume.
  CHECK(eventually([&] { return !output_of("udevadm info " + node).contains("DM_NOSCAN=1"); }));
  // Not only because udev notices that lvmd has closed the device.
  CHECK_FALSE(output_of("journalctl -b --no-pager -o cat -u lvmd.service").contains("/uevent"));
  // While it handles an event of the device, udev doesn't see that somebody writes to it.
  must("udevadm settle; mkfs.ext4 -q " + node);
  CHECK(eventually([&] { return output_of("udevadm info " + node).contains("ID_FS_TYPE=ext4"); }));
}

TEST_CASE("a mounted volume stays, and the answer names its mount point [P-REMOVE-3, P-REMOVE-20]",
          "[system]") {
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

TEST_CASE(
    "a volume whose device node is mounted stays, although it is not open [P-REMOVE-3, "
    "P-REMOVE-20]",
    "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 64 * kMiB)).ok());
  // As for a pod that has a raw block volume.
  must("touch /run/published && mount --bind $(readlink -f /dev/vg_thick/" + name +
       ") /run/published && udevadm settle");
  CHECK(output_of("dmsetup info -c --noheadings -o open /dev/vg_thick/" + name + " | tr -d ' '") ==
        "0");
  const auto refused = scratch.client.remove(remove_request("thick", name));
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.reason == "VOLUME_IN_USE");
  INFO(refused.message);
  CHECK(refused.says("device node mounted at /run/published"));
  CHECK(shell("lvs vg_thick/" + name).exit_code == 0);
  must("umount /run/published && rm /run/published");
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

TEST_CASE("the private tags say what was asked for [P-TAG-1, P-TAG-2]", "[system]") {
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

TEST_CASE("a held lock is waited for, then its holder is named [P-RUN-2, P-RUN-5, P-CODE-7]",
          "[system]") {
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
