// Children die, lvmd restarts, groups come and go: callers notice as little as can be.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
using Clock = std::chrono::steady_clock;

namespace {

void kill_and_await_successor(const std::string& process) {
  CAPTURE(process);
  const int before = pid_of(process);
  REQUIRE(before != 0);
  must("kill -KILL " + std::to_string(before));
  CHECK(eventually(
      [&] {
        const int now = pid_of(process);
        return now != 0 && now != before;
      },
      std::chrono::seconds{1}));
}

bool creates(Scratch& scratch) {
  return scratch.client.create(create_request("thick", scratch.name("thick"), 8 * kMiB)).ok();
}

// Without udevd, a write to a device causes no uevent.
class UdevStopped {
 public:
  UdevStopped() {
    must(
        "udevadm settle && systemctl stop systemd-udevd.service systemd-udevd-control.socket "
        "systemd-udevd-kernel.socket");
  }
  ~UdevStopped() {
    static_cast<void>(
        shell("systemctl start systemd-udevd-control.socket "
              "systemd-udevd-kernel.socket systemd-udevd.service"));
  }
  UdevStopped(const UdevStopped&) = delete;
  UdevStopped& operator=(const UdevStopped&) = delete;
};

}  // namespace

TEST_CASE("a killed server is back within a second and serves [P-RUN-6, E-CRASH-2]", "[system]") {
  kill_and_await_successor("lvmd-server");
  CHECK(eventually([] {
    Scratch scratch;
    return scratch.client.free_bytes("thick").ok() && creates(scratch);
  }));
}

TEST_CASE("a killed worker is back within a second and works [P-RUN-6, E-CRASH-2]", "[system]") {
  kill_and_await_successor("lvmd-worker vg_thick");
  Scratch scratch;
  CHECK(scratch.client.free_bytes("thick").ok());
  CHECK(eventually([&] { return creates(scratch); }));
}

TEST_CASE("a killed observer is back within a second and sees changes [P-RUN-6, E-CRASH-2]",
          "[system]") {
  kill_and_await_successor("lvmd-observer vg_thick");
  must("lvcreate -y -q -an -Zn -Wn -n seen_again -L 8M vg_thick");
  Scratch scratch;
  CHECK(eventually(
      [&] { return listed(scratch.client, "thick", "seen_again").name() == "seen_again"; }));
  must("lvremove -y -q vg_thick/seen_again");
}

TEST_CASE("SIGTERM with an open Watch stops lvmd within two seconds [P-STOP-2, H6]", "[system]") {
  Scratch scratch;
  const auto watch = scratch.client.watch();
  REQUIRE(watch->next(kCallLimit));
  must("systemctl stop lvmd.service");
  // From the moment in which systemd began to stop it, in microseconds.
  const auto at = [](const std::string& property) {
    return std::stoll(output_of("systemctl show lvmd.service -P " + property + "Monotonic"));
  };
  CHECK(std::chrono::microseconds{at("InactiveEnterTimestamp") - at("ActiveExitTimestamp")} <
        std::chrono::seconds{2});
  const auto end = watch->end(kCallLimit);
  REQUIRE(end);
  CHECK(end->code == Code::kUnavailable);
  CHECK(output_of("systemctl show -P Result lvmd.service") == "success");
  CHECK(pid_of("lvmd-server") == 0);
  must("systemctl start lvmd.service");
}

TEST_CASE("a restart refuses no connection [P-SOCK-7]", "[system]") {
  const std::jthread restart{[] { static_cast<void>(shell("systemctl restart lvmd.service")); }};
  const auto until = Clock::now() + std::chrono::seconds{3};
  int answers = 0;
  while (Clock::now() < until) {
    // A client of its own each time: a connection of its own.
    Client client{kSocket};
    const auto answer = client.free_bytes("thick");
    INFO(answer.message);
    // A call in flight may be told to come again; a connection is never refused.
    CHECK((answer.ok() || answer.code == Code::kUnavailable));
    CHECK_FALSE(answer.says("Connection refused"));
    CHECK_FALSE(answer.says("No such file"));
    ++answers;
  }
  CHECK(answers > 0);
}

TEST_CASE("systemd starts a unit while changes follow one another [P-RUN-28]", "[system]") {
  // Hosts have logind. systemd reports each new device to it, which is more work for systemd.
  must("systemctl unmask --quiet systemd-logind.service && systemctl start systemd-logind.service");
  Scratch scratch;
  std::atomic<int> failed = 0;
  std::vector<std::jthread> callers;
  // Of two volume groups.
  for (const std::string device_class : {"thick", "striped"}) {
    const std::string name = scratch.name(device_class);
    REQUIRE(scratch.client.create(create_request(device_class, name, 8 * kMiB)).ok());
    callers.emplace_back([&failed, device_class, name](const std::stop_token& stop) {
      Client client{kSocket};
      for (auto size = 16 * kMiB; !stop.stop_requested(); size += 8 * kMiB)
        if (!client.resize(resize_request(device_class, name, size)).ok()) {
          ++failed;
          return;
        }
    });
  }
  must("sleep 10; timeout 60 systemd-run --quiet --wait /bin/true");
  callers.clear();
  CHECK(failed == 0);
  must("systemctl mask --quiet --now systemd-logind.service");
}

// A worker that does not know which events udev has handled can wait in vain, for 15 s at most.
TEST_CASE("a worker without work loses no message of kernel and udev [P-RUN-28]", "[system]") {
  // Other cases stop udevd.
  must("systemctl restart lvmd.service");
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  // More messages than fit into a socket's buffer, fewer at a time.
  must("device=$(basename $(readlink -f /dev/vg_thick/" + name +
       ")); for _ in $(seq 10); do for _ in $(seq 20); do echo change "
       ">/sys/class/block/$device/uevent; done; udevadm settle; done");
  // Only workers receive both groups of messages.
  const auto lost = output_of("awk '$2 == 15 && $4 == \"00000003\" {print $9}' /proc/net/netlink");
  INFO(lost);
  CHECK_FALSE(lost.empty());
  CHECK(lost.find_first_not_of("0\n") == std::string::npos);
}

TEST_CASE("a group that appears later heals its class and its health [P-STATE-3]", "[system]") {
  Scratch scratch;
  REQUIRE(eventually([&] { return scratch.client.free_bytes("thick").ok(); }));
  const auto before = scratch.client.free_bytes("absent");
  CHECK(before.code == Code::kUnavailable);
  CHECK(before.says("vg_absent"));
  const auto health = shell("lvmd health");
  CHECK(health.exit_code == 1);
  CHECK(health.output.find("vg/vg_absent: NOT_SERVING") != std::string::npos);
  CHECK(health.output.find("vg/vg_thick: SERVING") != std::string::npos);

  must("vgcreate -q vg_absent /dev/disk/by-id/virtio-data2");
  CHECK(eventually([&] { return scratch.client.free_bytes("absent").ok(); },
                   std::chrono::seconds{3}));
  CHECK(scratch.client.create(create_request("absent", scratch.name("absent"), 8 * kMiB)).ok());
  CHECK(shell("lvmd health").output.find("vg/vg_absent: SERVING") != std::string::npos);
  const auto left = scratch.client.list("absent");
  for (const proto::LogicalVolume& volume : left.response.volumes())
    CHECK(scratch.client.remove(remove_request("absent", volume.name())).ok());
  must("vgremove -q vg_absent && pvremove -q /dev/disk/by-id/virtio-data2");
  CHECK(eventually([&] { return scratch.client.free_bytes("absent").code == Code::kUnavailable; }));
}

TEST_CASE("lvmd does not write LVM's hints while another command has them locked [P-STATE-3]",
          "[system]") {
  // As vgcreate does. Hints that another command writes now would lack the new group.
  must(": > /run/lvm/hints");
  must("systemd-run -q --collect --unit=hints flock /run/lvm/hints sleep infinity");
  REQUIRE(eventually([] { return shell("flock -n /run/lvm/hints true").exit_code != 0; }));
  // A new observer queries LVM.
  must("systemctl restart lvmd.service");
  Client client{kSocket};
  CHECK(eventually([&] { return client.health("vg/vg_thick").response == Health::kServing; }));
  CHECK(output_of("cat /run/lvm/hints").empty());
  must("systemctl stop hints.service");
}

TEST_CASE("a group appears although udevd loses the write that makes it [P-STATE-3]", "[system]") {
  Scratch scratch;
  const std::string disk = "/dev/disk/by-id/virtio-data2";
  const auto free_bytes = [&] { return scratch.client.free_bytes("absent"); };
  const auto appears = [&] {
    return eventually([&] { return free_bytes().ok(); }, std::chrono::seconds{3});
  };
  REQUIRE(free_bytes().code == Code::kUnavailable);
  {
    const UdevStopped stopped;
    // The event that udevd handles while the group is written.
    must("echo change > /sys/class/block/$(basename $(readlink -f " + disk + "))/uevent");
    must("vgcreate -q vg_absent " + disk);
    CHECK(appears());
    must("vgremove -q vg_absent");
    CHECK(eventually([&] { return free_bytes().code == Code::kUnavailable; }));
    // On a former device of the group.
    must("vgcreate -q vg_absent " + disk);
    CHECK(appears());
  }
  must("vgremove -q vg_absent && pvremove -q " + disk);
  CHECK(eventually([&] { return free_bytes().code == Code::kUnavailable; }));
}
