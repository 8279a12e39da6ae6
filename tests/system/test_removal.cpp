// A removal takes one volume, on real LVM: what needs the volume keeps it, and nothing else goes.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace fs = std::filesystem;

namespace {

bool exists(const std::string& name) { return shell("lvs vg_thick/" + name).exit_code == 0; }

// Volumes made by hand, gone when the case ends.
class ByHand {
 public:
  explicit ByHand(std::vector<std::string> names) : names_(std::move(names)) {}
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;
  ~ByHand() {
    for (const std::string& name : names_)
      static_cast<void>(shell("lvremove -q -f -y vg_thick/" + name));
  }

 private:
  std::vector<std::string> names_;
};

// A thin volume, inactive, that stands on `origin`.
void clone(const std::string& origin, const std::string& name) {
  must("lvchange -q -an vg_thick/" + origin + " && lvchange -q -pr vg_thick/" + origin +
       " && lvcreate -q -y -s --thinpool vg_thick/pool -n " + name + " vg_thick/" + origin +
       " && lvchange -q -an vg_thick/" + name);
}

// Removes the thick volume, has `meddle` done while the worker waits at the failpoint, and gives
// the answer.
template <typename Meddle>
Answer<proto::Empty> removed_while(const std::string& failpoint, const std::string& name,
                                   const Meddle& meddle) {
  Answer<proto::Empty> answer;
  std::jthread caller;
  const Failpoint held{failpoint};
  caller = std::jthread{[&] {
    Client client{kSocket};
    answer = client.remove(remove_request("thick", name));
  }};
  REQUIRE(eventually([&] { return waits_at(pid_of("lvmd-worker vg_thick"), failpoint); }));
  meddle();
  fs::remove(kFailpoint);
  caller.join();
  return answer;
}

}  // namespace

TEST_CASE("the external origin of a thin volume stays, and so does the thin volume [P-REMOVE-4]",
          "[system]") {
  Scratch scratch;
  const std::string origin = scratch.name("thick");
  const ByHand by_hand{{"hand_clone"}};
  REQUIRE(scratch.client.create(create_request("thick", origin, 8 * kMiB)).ok());
  clone(origin, "hand_clone");
  const auto refused = scratch.client.remove(remove_request("thick", origin));
  INFO(refused.message);
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.says("hand_clone"));
  CHECK(exists(origin));
  CHECK(exists("hand_clone"));
  CHECK(scratch.client.remove(remove_request("thin", "hand_clone")).ok());
  CHECK(exists(origin));
  CHECK(scratch.client.remove(remove_request("thick", origin)).ok());
}

TEST_CASE("the origin of a thick snapshot stays, and so does the snapshot [P-REMOVE-4]",
          "[system]") {
  Scratch scratch;
  const std::string origin = scratch.name("thick");
  const ByHand by_hand{{"hand_cow"}};
  REQUIRE(scratch.client.create(create_request("thick", origin, 8 * kMiB)).ok());
  must("lvcreate -q -y -s -L 8M -n hand_cow vg_thick/" + origin);
  const auto refused = scratch.client.remove(remove_request("thick", origin));
  INFO(refused.message);
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.says("hand_cow"));
  CHECK(exists("hand_cow"));
  CHECK(scratch.client.remove(remove_request("thick", "hand_cow")).ok());
  CHECK(scratch.client.remove(remove_request("thick", origin)).ok());
}

TEST_CASE("LVM refuses what came to depend on the volume after lvmd looked [P-REMOVE-21]",
          "[system]") {
  Scratch scratch;
  const std::string origin = scratch.name("thick");
  const ByHand by_hand{{"hand_late"}};
  REQUIRE(scratch.client.create(create_request("thick", origin, 8 * kMiB)).ok());
  const auto refused = removed_while("worker.begun", origin, [&] { clone(origin, "hand_late"); });
  INFO(refused.message);
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.says("hand_late"));
  CHECK(exists(origin));
  CHECK(exists("hand_late"));
}

TEST_CASE("a volume that LVM does not remove is active again [P-REMOVE-22]", "[system]") {
  Scratch scratch;
  const std::string origin = scratch.name("thick");
  const ByHand by_hand{{"hand_late"}};
  REQUIRE(scratch.client.create(create_request("thick", origin, 8 * kMiB)).ok());
  const auto refused =
      removed_while("worker.begun", origin,
                    // Does not open the volume: the snapshot uses its hidden part.
                    [&] { must("lvcreate -q -y -s -L 8M -n hand_late vg_thick/" + origin); });
  INFO(refused.message);
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.says("hand_late"));
  CHECK(output_of("lvs --noheadings -o lv_active vg_thick/" + origin).contains("active"));
  CHECK(fs::is_block_file("/dev/vg_thick/" + origin));
}

TEST_CASE("a volume stays active while another program holds LVM's lock [P-REMOVE-22]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  must("udevadm settle");
  must(
      "systemd-run -q --collect --unit=lock-holder flock /run/lock/lvm/V_vg_thick sleep 60 && "
      "while flock -n /run/lock/lvm/V_vg_thick true; do sleep 0.05; done");
  const auto refused = scratch.client.remove(remove_request("thick", name));
  const bool has_link = fs::is_block_file("/dev/vg_thick/" + name);
  must("systemctl stop lock-holder.service");
  INFO(refused.message);
  CHECK(refused.code == Code::kAborted);
  CHECK(has_link);
}

TEST_CASE("udev removes the links while LVM removes the volume [P-REMOVE-22]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  // Until then udev opens the volume now and then, so lvmd leaves its deactivation to LVM.
  must("udevadm settle");
  const auto removed = removed_while("worker.inactive", name, [&] {
    CHECK(eventually([&] { return !fs::exists("/dev/vg_thick/" + name); }));
    CHECK(exists(name));
  });
  INFO(removed.message);
  CHECK(removed.ok());
  CHECK_FALSE(exists(name));
}

TEST_CASE(
    "a worker killed after it deactivated the volume: the next one removes or activates it "
    "[P-REMOVE-22, P-INTENT-1]",
    "[system]") {
  constexpr const char* kWorker = "lvmd-worker vg_thick";
  const bool needed = GENERATE(false, true);
  CAPTURE(needed);
  Scratch scratch;
  const std::string name = scratch.name("thick");
  const ByHand by_hand{{"hand_late"}};
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  // Until then udev opens the volume now and then, so lvmd leaves its deactivation to LVM.
  must("udevadm settle");
  std::jthread call;
  {
    const Failpoint before{"worker.begun"};
    call = std::jthread{[&] {
      Client client{kSocket};
      static_cast<void>(client.remove(remove_request("thick", name)));
    }};
    REQUIRE(eventually([&] { return waits_at(pid_of(kWorker), "worker.begun"); }));
    if (needed) must("lvcreate -q -y -s -L 8M -n hand_late vg_thick/" + name);
    const Failpoint after{"worker.inactive"};
    REQUIRE(eventually([&] { return waits_at(pid_of(kWorker), "worker.inactive"); }));
    CHECK(eventually([&] { return !fs::exists("/dev/vg_thick/" + name); }));
    REQUIRE(::kill(pid_of(kWorker), SIGKILL) == 0);
  }
  call.join();
  CHECK(eventually(
      [&] { return needed ? fs::is_block_file("/dev/vg_thick/" + name) : !exists(name); },
      std::chrono::seconds{60}));
  CHECK(exists(name) == needed);
}

TEST_CASE("what goes beside the volume is told and logged, not passed over [P-REMOVE-21]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  const ByHand by_hand{{"hand_bystander"}};
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  must("lvcreate -q -y -an -Wn -Zn -L 8M -n hand_bystander vg_thick");
  const auto told =
      removed_while("worker.ran", name, [] { must("lvremove -q -f -y vg_thick/hand_bystander"); });
  INFO(told.message);
  CHECK(told.code == Code::kInternal);
  CHECK(told.says("hand_bystander"));
  CHECK(eventually([&] {
    return output_of("journalctl --no-pager -o cat -p err LVMD_VG=vg_thick LVMD_LV=" + name)
        .contains("other volumes disappeared while vg_thick/" + name +
                  " was removed: hand_bystander");
  }));
  CHECK(scratch.client.remove(remove_request("thick", name)).code == Code::kNotFound);
}

TEST_CASE("what another program removes while lvmd waits for LVM's lock is no loss [P-REMOVE-21]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  const ByHand by_hand{{"hand_other"}};
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  must("lvcreate -q -y -an -Wn -Zn -L 8M -n hand_other vg_thick");
  const auto removed = removed_while("worker.begun", name, [] {
    // Holds the lock for longer than the first try, and changes the group under it. Without a
    // command after it, lvremove would take the place of the shell, and close the lock.
    must(
        "(flock -x 9; touch /run/lock-held; sleep 1; lvremove -q -f -y --nolocking "
        "vg_thick/hand_other; true) 9>/run/lock/lvm/V_vg_thick >/dev/null 2>&1 & "
        "while ! test -e /run/lock-held; do sleep 0.05; done; rm /run/lock-held");
  });
  INFO(removed.message);
  CHECK(removed.ok());
  CHECK_FALSE(exists("hand_other"));
}

TEST_CASE("a cached volume goes with its cache, and nothing else does [P-REMOVE-21]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  const std::string thin = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thick", name, 32 * kMiB)).ok());
  REQUIRE(scratch.client.create(create_request("thin", thin, 8 * kMiB)).ok());
  must(
      "lvcreate -q -y --type cache-pool -L 8M -n hand_fast vg_thick && "
      "lvconvert -q -y --type cache --cachepool vg_thick/hand_fast vg_thick/" +
      name);
  const auto removed = scratch.client.remove(remove_request("thick", name));
  INFO(removed.message);
  CHECK(removed.ok());
  CHECK_FALSE(output_of("lvs -a --noheadings -o name vg_thick").contains("hand_fast"));
  CHECK(exists(thin));
  CHECK(exists("pool"));
}

TEST_CASE("a volume that is being moved stays, and so does the move [P-REMOVE-21]", "[system]") {
  Scratch scratch;
  const std::string throttle = "/sys/module/dm_mirror/parameters/raid1_resync_throttle";
  must("modprobe dm-mirror && echo 1 > " + throttle);
  must(
      "lvcreate -q -y -Wn -n hand_moved -L 200M vg_striped /dev/disk/by-id/virtio-data4 && "
      "pvmove -q -b -i 60 -n hand_moved /dev/disk/by-id/virtio-data4 "
      "/dev/disk/by-id/virtio-data5");
  const auto refused = scratch.client.remove(remove_request("striped", "hand_moved"));
  INFO(refused.message);
  CHECK_FALSE(refused.ok());
  CHECK(output_of("lvs -a --noheadings -o name vg_striped").contains("pvmove0"));
  CHECK(shell("lvs vg_striped/hand_moved").exit_code == 0);
  must("echo 100 > " + throttle + "; pvmove -q --abort; lvremove -q -f -y vg_striped/hand_moved");
}
