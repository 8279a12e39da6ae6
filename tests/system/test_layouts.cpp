// Every layout that LVM makes, read from the disks and from LVM's report: the two must say the
// same.
#include <fcntl.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/metadata/device_scan.hpp"
#include "lvmd/state/pool_monitoring.hpp"
#include "tests/system/differential.hpp"
#include "tests/system/loop_group.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd;
using namespace lvmd::system_tests;

namespace {

// Runs the commands ("VG" stands for the group, "PV1" for a device) and compares what they leave.
void compare_after(const LoopGroup& group, std::initializer_list<std::string_view> commands) {
  std::string text = "set -e";
  for (const std::string_view command : commands) text.append("\n").append(command);
  for (std::size_t at = 0; (at = text.find("VG", at)) != std::string::npos;)
    text.replace(at, 2, group.name());
  for (int i = 0; i < group.size(); ++i)
    for (std::size_t at = 0; (at = text.find(fmt::format("PV{}", i), at)) != std::string::npos;)
      text.replace(at, 3, group.device(i));
  INFO(text);
  must(text);
  static_cast<void>(check_readers_agree(group.name(), group.access()));
}

std::string attr_of(const model::VolumeGroup& group, std::string_view name) {
  const model::LogicalVolume* const lv = group.find(name);
  REQUIRE(lv != nullptr);
  return lv->attr;
}

std::string attr_of(const LoopGroup& group, std::string_view name) {
  return attr_of(check_readers_agree(group.name(), group.access()), name);
}

// Keeps a volume open.
UniqueFd hold(const LoopGroup& group, const std::string& lv) {
  UniqueFd fd{::open(fmt::format("/dev/{}/{}", group.name(), lv).c_str(), O_RDONLY | O_CLOEXEC)};
  REQUIRE(fd);
  return fd;
}

}  // namespace

TEST_CASE("plain volumes read the same as in LVM's report [P-LIST-3]", "[system][layouts]") {
  const LoopGroup group{"vgd_plain", 3};
  compare_after(
      group, {"lvcreate -q -y -Wn -n two -l 4 --addtag b/2 --addtag a=1 VG PV0",
              "lvextend -q -l +4 VG/two PV1", "lvcreate -q -y -Wn -i3 -I4k -n striped -l 6 VG",
              "lvcreate -q -y -Wn -Zn -p r -n ro -l 2 --alloc contiguous VG",
              "lvcreate -q -y -Wn -n minor -l 1 -M y --major 253 --minor 210 VG",
              "lvcreate -q -y -Wn -Zn -ky -an -n skip -l 1 --setautoactivation n VG",
              "lvcreate -q -y -Wn -Zn -an --alloc cling -n off -l 1 VG",
              "lvcreate -q -y -Wn -Zn --type error -n err -l 2 VG",
              "lvcreate -q -y -Wn -Zn -an --type zero -n zero -l 2 VG", "lvremove -q -f VG/striped",
              "pvchange -q -xn PV2", "blockdev --setro /dev/VG/two", "dmsetup suspend VG-minor"});
  must("dmsetup resume vgd_plain-minor");
  CHECK(attr_of(group, "two") == "-Ri-a-----");
}

TEST_CASE("LVM's reports write no copy of the metadata, and so print nothing about it [P-RUN-24]",
          "[system][layouts]") {
  const LoopGroup group{"vgd_archived", 1};
  const model::VgAccess access = group.access();
  // When LVM writes an archive, it prints a line if all archives of the group exceed 128 MiB.
  must("for i in {10001..10020}; do truncate -s 10M /etc/lvm/archive/vgd_archived_$i-1.vg; done");
  must("lvcreate -q -y -an -Zn -Wn -n one -l 1 --config 'backup{backup=0 archive=0}' vgd_archived");
  const std::string list_archives = "ls /etc/lvm/archive/vgd_archived_*";
  const std::string archives = output_of(list_archives);
  static_cast<void>(check_readers_agree(group.name(), access));
  const auto pools = state::unmonitored_pools({"/usr/sbin/lvm"}, group.name(), access.devices,
                                              std::chrono::seconds{60});
  if (!pools) FAIL("LVM's query: " << describe(pools.error()));
  CHECK(output_of(list_archives) == archives);
  must("rm /etc/lvm/archive/vgd_archived_*");
}

TEST_CASE("mirrors read the same as in LVM's report [P-LIST-3]", "[.][long]") {
  const LoopGroup group{"vgd_mirror", 4};
  compare_after(
      group,
      {"lvcreate -q -y -Wn --type mirror -m1 -n disklog -l 4 VG",
       "lvcreate -q -y -Wn -Zn -an --type mirror -m1 --mirrorlog core -n corelog -l 4 VG",
       "lvcreate -q -y -Wn --type mirror -m2 --mirrorlog core --nosync -n nosync -l 2 VG",
       "while ! lvs --noheadings -o sync_percent VG/disklog | grep -q 100; do sleep 0.1; done",
       "lvconvert -q -y -m+1 -b VG/disklog"});
}

TEST_CASE("RAID reads the same as in LVM's report [P-LIST-3]", "[.][long]") {
  const LoopGroup group{"vgd_raid", 5};
  compare_after(group, {"lvcreate -q -y -Wn --type raid0 -i2 -n r0 -l 4 VG",
                        "lvcreate -q -y -Wn -Zn -an --type raid0_meta -i3 -n r0m -l 3 VG",
                        "lvcreate -q -y -Wn --type raid1 -m1 -n r1 -l 4 VG PV0 PV1",
                        "lvcreate -q -y -Wn --type raid1 -m2 --nosync -n r1n -l 2 VG",
                        "lvcreate -q -y -Wn -Zn -an --type raid4 -i2 -n r4 -l 4 VG",
                        "lvcreate -q -y -Wn --type raid5 -i2 -n r5 -l 4 VG",
                        "lvcreate -q -y -Wn -Zn -an --type raid5_n -i2 -n r5n -l 4 VG",
                        "lvcreate -q -y -Wn -Zn -an --type raid6 -i3 -n r6 -l 3 VG",
                        "lvcreate -q -y -Wn --type raid10 -i2 -m1 -n r10 -l 4 VG",
                        "lvchange -q -y --writemostly PV1:y VG/r1",
                        "lvconvert -q -y --splitmirrors 1 --trackchanges VG/r1n"});
  // A leg with other contents than the rest.
  must(
      "dd if=/dev/urandom of=/dev/mapper/vgd_raid-r1_rimage_1 bs=64k count=4 oflag=direct "
      "status=none; lvchange -q --syncaction check vgd_raid/r1");
  CHECK(eventually([] { return output_of("dmsetup status vgd_raid-r1").contains(" idle "); }));
  // A leg that fails.
  must(
      "dmsetup create vgd_raid_bad --table '0 65536 error' && "
      "echo \"0 $(blockdev --getsz /dev/mapper/vgd_raid-r10_rimage_2) linear "
      "/dev/mapper/vgd_raid_bad 0\" | dmsetup load vgd_raid-r10_rimage_2 && "
      "dmsetup suspend --noflush vgd_raid-r10_rimage_2 && dmsetup resume vgd_raid-r10_rimage_2 && "
      "dd if=/dev/zero of=/dev/vgd_raid/r10 bs=1M "
      "count=4 oflag=direct status=none; sync");
  const model::VolumeGroup state = check_readers_agree(group.name(), group.access());
  CHECK(attr_of(state, "r1").at(8) == 'm');
  CHECK(attr_of(state, "r10").at(8) == 'r');
  CHECK(attr_of(state, "r10_rimage_2").at(0) == 'I');
  CHECK(attr_of(state, "r10_rimage_2").at(8) == 'r');
}

TEST_CASE("a RAID that is reshaped reads the same as in LVM's report", "[.][long]") {
  const LoopGroup group{"vgd_reshape", 5};
  must("lvcreate -q -y -Wn --type raid5 -i2 -n r5 -l 40 vgd_reshape");
  CHECK(eventually([] { return output_of("dmsetup status vgd_reshape-r5").contains(" idle "); }));
  compare_after(group, {"lvconvert -q -y --stripes 3 VG/r5"});
}

TEST_CASE("thin volumes read the same as in LVM's report [P-LIST-3]", "[system][layouts]") {
  const LoopGroup group{"vgd_thin", 3};
  compare_after(
      group, {"lvcreate -q -y --type thin-pool -L 16m -n pool VG",
              "lvcreate -q -y -Zn --type thin-pool -L 8m -n unused VG",
              "lvcreate -q -y -Wn -V 16m --thinpool pool -n thin VG",
              "lvcreate -q -y -s -k n -a y -p r -n ro VG/thin", "lvcreate -q -y -s -n skip VG/thin",
              "lvcreate -q -y -Wn -Zn -an -p r -n ext -l 4 VG",
              "lvcreate -q -y -s -k n --thinpool VG/pool -n onext VG/ext",
              "lvcreate -q -y -s -l 2 -n cow VG/thin"});
  compare_after(
      group,
      {"lvremove -q -f VG/cow", "lvremove -q -f --config metadata/record_lvs_history=1 VG/ro",
       "lvconvert -q -y --type raid1 -m1 VG/pool_tdata", "lvchange -q -an VG/pool"});
  {
    // A merge that waits for the origin to be closed, and then runs.
    const UniqueFd open = hold(group, "thin");
    compare_after(group,
                  {"lvcreate -q -y -s -k n -n back VG/thin", "lvconvert -q -y --merge VG/back"});
  }
  CHECK(attr_of(group, "thin").at(0) == 'O');
  // A volume with an origin that is gone.
  compare_after(group, {"lvchange -q -an VG/thin", "lvchange -q -ay VG/thin",
                        "lvcreate -q -y -s -k n -n child VG/thin", "lvremove -q -f VG/thin"});
}

TEST_CASE("a pool without space reads the same as in LVM's report", "[system][layouts]") {
  const LoopGroup group{"vgd_full", 1};
  compare_after(
      group,
      {"lvcreate -q -y --type thin-pool -L 8m -n pool VG", "lvchange -q --errorwhenfull y VG/pool",
       "lvcreate -q -y -Wn -V 16m --thinpool pool -n thin VG",
       "dd if=/dev/zero of=/dev/VG/thin bs=1M count=16 oflag=direct status=none || true"});
  CHECK(attr_of(group, "pool").at(8) == 'D');
}

TEST_CASE("COW snapshots read the same as in LVM's report [P-MSG-7]", "[.][long][layouts]") {
  const LoopGroup group{"vgd_cow", 2};
  compare_after(
      group,
      {"lvcreate -q -y -Wn -n origin -l 8 VG", "lvcreate -q -y -s -l 2 -n snap VG/origin",
       "lvcreate -q -y -s -l 3 -p r -n ro VG/origin", "lvcreate -q -y -s -l 2 -V 64m -n sparse VG",
       "lvcreate -q -y -Wn --type raid1 -m1 -n r1 -l 4 VG",
       "lvcreate -q -y -s -l 2 -n r1snap VG/r1",
       // More changes than the snapshot has space for.
       "dd if=/dev/urandom of=/dev/VG/origin bs=1M count=6 oflag=direct status=none", "sync"});
  {
    const UniqueFd open = hold(group, "r1");
    compare_after(group, {"lvconvert -q -y --merge -b VG/r1snap"});
  }
  const model::VolumeGroup state = check_readers_agree(group.name(), group.access());
  CHECK(state.find("ro")->size == model::Bytes{8U << 20U});
  CHECK(attr_of(state, "snap").at(4) == 'I');
  CHECK(attr_of(state, "r1").at(0) == 'O');
  compare_after(group, {"lvchange -q -an VG/r1", "lvchange -q -ay VG/r1"});
}

TEST_CASE("cached volumes read the same as in LVM's report [P-LIST-3]", "[.][long]") {
  const LoopGroup group{"vgd_cache", 2};
  compare_after(group, {"for i in 1 2 3; do lvcreate -q -y -Wn -n slow$i -l 16 VG; done",
                        "for i in 2 3; do lvcreate -q -y -Wn -n fast$i -l 8 VG; done",
                        "lvcreate -q -y --type cache-pool -L 8m -n fast1 VG",
                        "lvcreate -q -y --type cache-pool -L 8m -n idle VG",
                        "lvconvert -q -y --type cache --cachepool fast1 VG/slow1",
                        "lvconvert -q -y --type cache --cachevol fast2 VG/slow2",
                        "lvchange -q -an VG/slow3 VG/fast3",
                        "lvconvert -q -y --type writecache --cachevol fast3 VG/slow3",
                        "lvchange -q -ay VG/slow3", "lvcreate -q -y -s -l 2 -n snap VG/slow1"});
  compare_after(group, {"lvchange -q -an VG/slow2", "lvremove -q -f VG/snap",
                        "lvconvert -q -y --splitcache VG/slow1"});
}

TEST_CASE("volumes that are being moved read the same as in LVM's report", "[.][long]") {
  const LoopGroup group{"vgd_move", 2};
  const std::string throttle = "/sys/module/dm_mirror/parameters/raid1_resync_throttle";
  // A move that takes a while.
  must("modprobe dm-mirror && echo 1 > " + throttle);
  compare_after(group,
                {"lvcreate -q -y -Wn -n big -l 200 VG PV0",
                 "lvcreate -q -y -Wn -Zn -an -n other -l 20 VG PV0", "pvmove -q -b -i 60 PV0 PV1"});
  const model::VolumeGroup state = check_readers_agree(group.name(), group.access());
  must("echo 100 > " + throttle);
  CHECK(attr_of(state, "pvmove0").starts_with("p-"));
  CHECK(attr_of(state, "big").at(2) == 'I');
  compare_after(group, {"pvmove -q --abort"});
}

TEST_CASE("volumes without some of their disks read the same as in LVM's report",
          "[.][long][layouts]") {
  const LoopGroup group{"vgd_lost", 3};
  compare_after(group, {"lvcreate -q -y -Wn -Zn -n lin -l 4 VG PV0",
                        "lvcreate -q -y -Wn -Zn -n whole -l 4 VG PV1",
                        "lvcreate -q -y -Wn --type raid1 -m1 -n r1 -l 4 VG PV0 PV1",
                        "lvcreate -q -y --type thin-pool -L 8m -n pool VG PV0",
                        "lvcreate -q -y -Wn -V 16m --thinpool pool -n thin VG",
                        "lvcreate -q -y -Wn -n origin -l 4 VG PV1",
                        "lvcreate -q -y -s -l 2 -n cow VG/origin PV0", "vgchange -q -an VG"});
  group.detach(0);
  const model::VolumeGroup lost = check_readers_agree(group.name(), group.access());
  CHECK(attr_of(lost, "lin").at(8) == 'p');
  CHECK(attr_of(lost, "thin").at(8) == 'p');
  CHECK(attr_of(lost, "whole").at(8) == '-');
  compare_after(group,
                {"lvchange -q -ay --activationmode partial VG/lin || true",
                 "lvchange -q -ay --activationmode degraded VG/r1", "lvchange -q -ay VG/whole"});
  compare_after(group, {"vgchange -q -an VG", "vgreduce -q --removemissing --force VG"});
  // Back, but not in the group any more.
  group.attach(0);
  static_cast<void>(check_readers_agree(group.name(), group.access()));
}

TEST_CASE("a disk that was away while the group changed is out of step, not the state",
          "[system][layouts]") {
  const LoopGroup group{"vgd_step", 2};
  compare_after(
      group, {"lvcreate -q -y -Wn -Zn -an -n lin -l 4 VG",
              // The metadata that PV1 will have again.
              "dd if=PV1 of=/run/loops/old bs=1M count=1 iflag=direct status=none",
              "lvchange -q --addtag new VG/lin",
              "dd if=/run/loops/old of=PV1 bs=1M oflag=direct status=none", "rm /run/loops/old"});
  const model::VolumeGroup state = check_readers_agree(group.name(), group.access());
  CHECK(state.find("lin")->tags == std::vector<std::string>{"new"});
  // One of the two disks has no text now.
  compare_after(group, {"vgchange -q --metadatacopies 1 VG"});
}

TEST_CASE("a text that wraps around in its area is whole", "[system][layouts]") {
  const LoopGroup group{"vgd_wrap", 1};
  const auto is_wrapped = [&group] {
    const auto scan = metadata::scan_devices(group.access().devices);
    REQUIRE(scan.devices.size() == 1);
    const auto& header = scan.devices.front().areas.front().header;
    REQUIRE((header && header->text));
    return header->text->offset + header->text->size > header->area_size;
  };
  // Some 100 KiB, in an area of 1 MiB.
  must(
      "lvcreate -q -y -Wn -Zn -an -n lin -l 1 vgd_wrap && lvchange -q $(for i in $(seq 100); do "
      "printf ' --addtag t%0900d' $i; done) vgd_wrap/lin");
  int commits = 0;
  while (!is_wrapped()) {
    REQUIRE(++commits < 30);
    must(fmt::format("lvchange -q --addtag n{} vgd_wrap/lin", commits));
  }
  static_cast<void>(check_readers_agree(group.name(), group.access()));
}

TEST_CASE("a group put together at random reads the same as in LVM's report", "[.][long]") {
  const LoopGroup group{"vgd_any", 6};
  const auto seed = std::random_device{}();
  std::mt19937 random{seed};
  const std::vector<std::string> kinds{
      "--type linear",    "--type striped -i2",    "--type raid1 -m1",
      "--type raid5 -i2", "--type raid10 -i2 -m1", "--type mirror -m1 --mirrorlog core",
      "--type raid0 -i3", "--type thin-pool"};
  const std::vector<std::string> options{"-p r -Zn",    "--alloc anywhere", "--addtag x",
                                         "-ky -an -Zn", "-an -Zn",          ""};
  const auto pick = [&random](const std::vector<std::string>& from) -> const std::string& {
    return from[random() % from.size()];
  };
  std::string commands;
  for (int i = 0; i < 8; ++i) {
    const std::string& kind = pick(kinds);
    // A pool isn't wiped.
    const std::string option = kind.ends_with("pool") ? "" : "-Wn " + pick(options);
    commands += fmt::format("lvcreate -q -y {} {} -n v{} -l {} {}\n", kind, option, i,
                            12 * (1 + random() % 3), group.name());
    if (random() % 4 == 0) commands += fmt::format("lvremove -q -f -y {}/v{}\n", group.name(), i);
  }
  WARN("seed " << seed);
  INFO(commands);
  must("set -e\n" + commands);
  static_cast<void>(check_readers_agree(group.name(), group.access()));
}
