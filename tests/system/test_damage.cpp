// Volume groups that are not whole, or not what they were: what health and metrics say, and what
// LVM heals.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/served_group.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
using std::chrono_literals::operator""s;

namespace {

constexpr auto kNoticed = 15s;
// P-STATE-3, with room for a machine that does much else.
constexpr auto kSeen = 15s;

constexpr const char* kClass = "  - {name: damaged, volume-group: vg_damage, spare-gb: 0}\n";

std::optional<double> group_metric(const std::string& name) {
  return metric(fmt::format(R"(lvmd_volume_group_{}{{volume_group="vg_damage"}})", name));
}

// Where the committed text begins on the device, in bytes.
std::string text_begin(const std::string& device) {
  return output_of(
      fmt::format("pvck --dump headers {} 2>/dev/null | sed -n "
                  "'s/.*raw_locn\\[0\\].offset \\([0-9]*\\).*/\\1/p' | head -n 1 | {{ read o; echo "
                  "$((4096+o)); }}",
                  device));
}

}  // namespace

TEST_CASE(
    "a group that misses a PV does not serve, until the PV is back under another number "
    "[P-HEALTH-1, P-STATE-5, P-STATE-9]",
    "[system]") {
  ServedGroup served{"vg_damage", 2, kClass};
  const LoopGroup& group = served.group();
  Client& client = served.client();
  // On the PV that stays.
  must("lvcreate -q -y -Wn -Zn -an -n stays -l 4 vg_damage " + group.device(0));
  must("lvcreate -q -y -Wn -Zn -an -n lost -l 4 vg_damage " + group.device(1));
  CHECK(group_metric("usable") == 1.0);
  const auto check_partial = [&] {
    CHECK(served.becomes(Health::kNotServing, kNoticed));
    CHECK(served.says("lacks the PVs", 1s));
    CHECK(group_metric("usable") == 0.0);
    CHECK(group_metric("missing_physical_volumes") == 1.0);
    CHECK(group_metric("degraded_volumes") == 1.0);
    CHECK(client.create(create_request("damaged", "more", 8 * kMiB)).code == Code::kUnavailable);
  };
  const auto check_whole = [&] {
    CHECK(served.becomes(Health::kServing, kNoticed));
    CHECK(group_metric("missing_physical_volumes") == 0.0);
    CHECK(client.create(create_request("damaged", "more", 8 * kMiB)).ok());
    CHECK(client.remove(remove_request("damaged", "more")).ok());
  };
  group.detach(1);
  check_partial();
  // The number that it had is somebody else's now.
  const std::string taken =
      output_of("truncate -s 16M /run/loops/taken && losetup -f --show /run/loops/taken");
  CHECK(taken == group.device(1));
  const std::string other = output_of("losetup -f --show /run/loops/vg_damage.1");
  check_whole();

  // What was changed meanwhile makes the PV one that LVM does not take back by itself.
  must(fmt::format("losetup -d {} && udevadm settle", other));
  check_partial();
  CHECK(client.remove(remove_request("damaged", "stays")).ok());
  must(fmt::format("losetup {} /run/loops/vg_damage.1 && udevadm settle", other));
  CHECK(served.becomes(Health::kNotServing, 1s));
  must(fmt::format("vgextend -q --restoremissing vg_damage {}", other));
  check_whole();
  must(fmt::format("vgchange -q -an vg_damage; losetup -d {} {}; rm /run/loops/taken", other,
                   taken));
  group.attach(1);
}

TEST_CASE("a PV without volumes that is back is used again, as LVM does [P-STATE-9]", "[system]") {
  ServedGroup served{"vg_damage", 2, kClass};
  const LoopGroup& group = served.group();
  Client& client = served.client();
  must("lvcreate -q -y -Wn -Zn -an -n stays -l 4 vg_damage " + group.device(0));
  must("lvcreate -q -y -Wn -Zn -an -n goes -l 4 vg_damage " + group.device(0));
  group.detach(1);
  REQUIRE(served.becomes(Health::kNotServing, kNoticed));
  // LVM writes down that the PV is missing.
  REQUIRE(client.remove(remove_request("damaged", "goes")).ok());
  group.attach(1);
  CHECK(served.becomes(Health::kServing, kNoticed));
  CHECK(client.create(create_request("damaged", "more", 8 * kMiB)).ok());
  CHECK(client.remove(remove_request("damaged", "more")).ok());
  CHECK(group_metric("missing_physical_volumes") == 0.0);
}

TEST_CASE("a growth that a disk refuses to write is no lack of space [P-RESIZE-3]", "[system]") {
  ServedGroup served{"vg_damage", 1, kClass};
  Client& client = served.client();
  REQUIRE(client.create(create_request("damaged", "grows", 8 * kMiB)).ok());
  must("blockdev --setro " + served.group().device(0));
  const auto refused = client.resize(resize_request("damaged", "grows", 16 * kMiB));
  CAPTURE(refused.message);
  CHECK(refused.code == Code::kInternal);
  must("blockdev --setrw " + served.group().device(0));
  CHECK(client.resize(resize_request("damaged", "grows", 16 * kMiB)).ok());
  CHECK(client.remove(remove_request("damaged", "grows")).ok());
}

TEST_CASE("a copy of a PV that appears stops its group, until it is gone [P-STATE-1]", "[system]") {
  ServedGroup served{"vg_damage", 1, kClass};
  Client& client = served.client();
  REQUIRE(client.create(create_request("damaged", "stays", 8 * kMiB)).ok());
  const std::string copy = output_of(
      "cp --sparse=always /run/loops/vg_damage.0 /run/loops/twin && losetup -f --show "
      "/run/loops/twin");
  CHECK(served.becomes(Health::kNotServing, kNoticed));
  CHECK(served.says("have the same PV id", 1s));
  const auto refused = client.create(create_request("damaged", "more", 8 * kMiB));
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.says(copy));
  // An observer that has never read the group.
  must("systemctl restart lvmd.service");
  CHECK(served.says("have the same PV id", 2 * kNoticed));
  must("losetup -d " + copy + "; rm /run/loops/twin");
  CHECK(served.becomes(Health::kServing, kNoticed));
  CHECK(client.create(create_request("damaged", "more", 8 * kMiB)).ok());
  CHECK(client.remove(remove_request("damaged", "more")).ok());
  CHECK(client.remove(remove_request("damaged", "stays")).ok());
}

TEST_CASE("a damaged copy of the metadata is told until it is repaired [P-STATE-9]", "[system]") {
  ServedGroup served{"vg_damage", 2, kClass, "lvcreate -q -y -Wn -Zn -an -n stays -l 4 vg_damage"};
  const std::string whole = served.group().device(0);
  const std::string broken = served.group().device(1);
  const std::string words = "has a damaged copy of its metadata (" + broken;
  CHECK(group_metric("damaged_metadata_copies") == 0.0);
  const std::string here = journal_cursor();
  SECTION("header") {
    must(fmt::format("dd if=/dev/zero of={} bs=512 seek=8 count=1 conv=notrunc status=none",
                     broken));
  }
  SECTION("text") {
    must(fmt::format("printf XXXX | dd of={} bs=1 seek=$(({}+50)) conv=notrunc status=none", broken,
                     text_begin(broken)));
  }
  CHECK(served.says(words, kSeen));
  CHECK(served.says("vgck --updatemetadata vg_damage", 1s));
  CHECK(served.becomes(Health::kServing, kSeen));
  CHECK(group_metric("damaged_metadata_copies") == 1.0);
  // The journal takes an entry later than health does.
  CHECK(eventually([&] { return journal_since(here).find(words) != std::string::npos; }, kSeen));
  // The copy that is whole serves, and a change does not forget the other one.
  CHECK(listed(served.client(), "damaged", "stays").name() == "stays");
  CHECK(served.client().create(create_request("damaged", "made", 4 * kMiB)).ok());
  CHECK(served.client().remove(remove_request("damaged", "made")).ok());
  CHECK(served.says(words, kSeen));

  must(fmt::format(
      "vgck -q --updatemetadata vg_damage; rm -f /run/good.text; pvck --dump metadata -f "
      "/run/good.text {} && pvck -y --repairtype metadata -f /run/good.text {} && "
      "vgck --updatemetadata vg_damage",
      whole, broken));
  CHECK(served.is_silent_of(words, kSeen));
  CHECK(group_metric("damaged_metadata_copies") == 0.0);
  CHECK(served.client().create(create_request("damaged", "made", 4 * kMiB)).ok());
}

TEST_CASE(
    "a group that is renamed is told with its new name, and works when it has its own again "
    "[P-STATE-9]",
    "[system]") {
  ServedGroup served{"vg_damage", 1, kClass, "lvcreate -q -y -Wn -Zn -an -n stays -l 4 vg_damage"};
  must("vgrename -q vg_damage vg_elsewhere");
  CHECK(served.becomes(Health::kNotServing, kSeen));
  CHECK(served.says("now have the volume group vg_elsewhere", kSeen));
  CHECK(served.client().remove(remove_request("damaged", "stays")).code == Code::kUnavailable);
  must("vgrename -q vg_elsewhere vg_damage");
  CHECK(served.becomes(Health::kServing, kSeen));
  CHECK(served.client().remove(remove_request("damaged", "stays")).ok());
}

TEST_CASE(
    "a group that is made anew under the same name is another one, and the log says so "
    "[P-STATE-9]",
    "[system]") {
  ServedGroup served{"vg_damage", 1, kClass, "lvcreate -q -y -Wn -Zn -an -n gone -l 4 vg_damage"};
  const std::string here = journal_cursor();
  must("vgremove -q -y vg_damage && vgcreate -q --setautoactivation n -s 1m vg_damage " +
       served.group().device(0));
  CHECK(eventually([&] { return served.client().list("damaged").response.volumes().empty(); },
                   kSeen));
  CHECK(served.becomes(Health::kServing, kSeen));
  CHECK(served.client().create(create_request("damaged", "gone", 4 * kMiB)).ok());
  CHECK(eventually([&] {
    return journal_since(here).find("was replaced by another group of the same name") !=
           std::string::npos;
  }));
}

TEST_CASE(
    "health and metrics tell of a RAID volume that lost a leg, and of one that is not in sync "
    "[P-HEALTH-9]",
    "[system]") {
  ServedGroup served{"vg_damage", 2, kClass};
  must(
      "lvcreate -q -y -Wn --type raid1 -m1 --maxrecoveryrate 128k -n twice -l 20 vg_damage && "
      "udevadm settle");
  CHECK(served.says("not in sync yet: twice", kNoticed));
  CHECK(group_metric("out_of_sync_volumes") == 1.0);
  CHECK(served.becomes(Health::kServing, 1s));
  must("lvchange -q --maxrecoveryrate 1g vg_damage/twice");
  CHECK(served.is_silent_of("not in sync yet", kNoticed));
  CHECK(group_metric("out_of_sync_volumes") == 0.0);
  CHECK(group_metric("degraded_volumes") == 0.0);

  must(
      "set -- $(dmsetup table vg_damage-twice_rimage_1) && dmsetup suspend --noflush --nolockfs "
      "vg_damage-twice_rimage_1 && echo \"0 $2 error\" | dmsetup load vg_damage-twice_rimage_1 && "
      "dmsetup resume vg_damage-twice_rimage_1");
  static_cast<void>(shell("dd if=/dev/zero of=/dev/vg_damage/twice bs=1M count=4 oflag=direct"));
  CHECK(served.says("degraded volumes, which another failure may destroy: twice", kNoticed));
  CHECK(served.becomes(Health::kServing, 1s));
  CHECK(group_metric("degraded_volumes") == 1.0);
  CHECK(shell("lvmd health").output.find("twice") != std::string::npos);
  // As the message says.
  must("lvchange -q --refresh vg_damage/twice");
  CHECK(served.is_silent_of("degraded", kNoticed));
  CHECK(group_metric("degraded_volumes") == 0.0);
}

TEST_CASE(
    "a metadata area that is full is told as such, and removal works [P-CREATE-10, P-HEALTH-9]",
    "[system]") {
  ServedGroup served{"vg_damage", 1, kClass, {}, {.metadata = "60k", .alignment = "64k"}};
  Client& client = served.client();
  const auto request = [](int number, std::size_t tag_bytes) {
    auto create = create_request("damaged", fmt::format("v{}", number), kMiB);
    for (char first = 'a'; first < 'a' + 4; ++first)
      create.add_tags(first + std::string(tag_bytes - 1, 'x'));
    return create;
  };
  int made = 0;
  Answer<proto::CreateLVResponse> last;
  const auto fill = [&](std::size_t tag_bytes) {
    do last = client.create(request(made, tag_bytes));
    while (last.ok() && ++made < 200);
    INFO(last.message);
    CHECK(last.code == Code::kResourceExhausted);
    CHECK(last.reason == "METADATA_AREA_FULL");
    CHECK(last.says("metadata area of volume group vg_damage is full"));
  };
  fill(1000);
  // LVM finds the same.
  CHECK(shell("lvcreate -q -y -an -Wn -Zn -l 1 -n by_hand $(for i in a b c d; do printf -- "
              "' --addtag %s%0999d' $i 0; done) vg_damage")
            .exit_code == 5);
  fill(1);
  CHECK(made > 5);
  CHECK(served.says("metadata area of volume group vg_damage is nearly full", kSeen));
  const auto left = group_metric("metadata_free_bytes");
  REQUIRE(left);
  CHECK(*left < 2048);
  CHECK(shell("lvs vg_damage/v" + std::to_string(made)).exit_code != 0);

  CHECK(client.remove(remove_request("damaged", "v0")).ok());
  CHECK(client.create(request(made, 100)).ok());
  CHECK(served.becomes(Health::kServing, 1s));
}
