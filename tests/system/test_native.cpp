// No LVM program runs for a call, and nothing is polled: the claims lvmd is built on.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;

namespace {

// What this program, lvmd's server and its workers executed while it lives, and their children.
// udev runs LVM by itself, and an observer asks it from time to time: not for a call.
class ExecTrace {
 public:
  ExecTrace() {
    must("mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing");
    must(
        "cd /sys/kernel/tracing && echo 1 > options/event-fork && "
        "{ echo $PPID; pgrep -f '^/usr/lib/lvmd/lvmd-(server|worker)'; } | xargs "
        "> set_event_pid && echo > trace && echo 1 > events/sched/sched_process_exec/enable");
  }
  ExecTrace(const ExecTrace&) = delete;
  ExecTrace& operator=(const ExecTrace&) = delete;
  ~ExecTrace() {
    static_cast<void>(
        shell("cd /sys/kernel/tracing && echo 0 > events/sched/sched_process_exec/enable; "
              "echo > set_event_pid; echo 0 > options/event-fork"));
  }
  // The programs' paths, one per line.
  [[nodiscard]] std::string programs() const {
    return output_of("sed -n 's/.*filename=\\([^ ]*\\) .*/\\1/p' /sys/kernel/tracing/trace");
  }
};

bool ran_lvm(const std::string& programs) {
  return shell("grep -E '/(lvm|lvs|vgs|pvs|lvcreate|lvremove|lvresize|lvchange)$' <<< '" +
               programs + "'")
             .exit_code == 0;
}

std::string fallbacks() {
  return output_of("journalctl -b --no-pager -o cat LVMD_FALLBACK=report");
}

}  // namespace

TEST_CASE("the trace sees an LVM program when one runs", "[system]") {
  const ExecTrace trace;
  must("lvs");
  CHECK(ran_lvm(trace.programs()));
}

TEST_CASE("the seven calls start no LVM program [E-NATIVE-1]", "[system]") {
  const ExecTrace trace;
  {
    Scratch scratch;
    const auto watch = scratch.client.watch();
    REQUIRE(watch->next(kCallLimit));
    const std::string thick = scratch.name("thick");
    const std::string thin = scratch.name("thin");
    const std::string snap = scratch.name("thin");
    REQUIRE(scratch.client.create(create_request("thick", thick, 8 * kMiB)).ok());
    REQUIRE(scratch.client.create(create_request("thin", thin, 8 * kMiB)).ok());
    REQUIRE(scratch.client.snapshot(snapshot_request("thin", snap, thin, "ro")).ok());
    REQUIRE(scratch.client.resize(resize_request("thick", thick, 16 * kMiB)).ok());
    REQUIRE(scratch.client.list("thin").ok());
    REQUIRE(scratch.client.free_bytes("thick").ok());
    REQUIRE(scratch.client.remove(remove_request("thin", snap)).ok());
  }
  const std::string programs = trace.programs();
  INFO(programs);
  CHECK_FALSE(ran_lvm(programs));
}

TEST_CASE("LVM looks up no names of devices of other groups [P-RUN-8]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  // lvmd knows the devices of the group after its first change.
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  must(
      fmt::format("strace -f -q -e trace=%file -o /run/looked-up -p {} >/dev/null 2>&1 & echo $! > "
                  "/run/strace.pid; "
                  "sleep 2",
                  pid_of("lvmd-worker vg_thick")));
  const auto grown = scratch.client.resize(resize_request("thick", name, 16 * kMiB));
  must("kill -INT $(cat /run/strace.pid); sleep 1");
  REQUIRE(grown.ok());
  CHECK(shell("grep -q '\"/dev/' /run/looked-up").exit_code == 0);
  CHECK(output_of("grep -E '\"/dev/(disk|block|char)/' /run/looked-up | head -n 3").empty());
}

TEST_CASE(
    "linear, striped, thin pools, thin volumes and thin snapshots are read natively [E-NATIVE-1]",
    "[system]") {
  Scratch scratch;
  const std::string striped = scratch.name("striped");
  const std::string thin = scratch.name("thin");
  const std::string snap = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("striped", striped, 16 * kMiB)).ok());
  REQUIRE(scratch.client.create(create_request("thin", thin, 8 * kMiB)).ok());
  REQUIRE(scratch.client.snapshot(snapshot_request("thin", snap, thin, "rw")).ok());
  CHECK(listed(scratch.client, "striped", striped).name() == striped);
  CHECK(fallbacks().empty());
}

TEST_CASE("lists agree with lvs, attribute by attribute [P-LIST-3, E-NATIVE-1]", "[system]") {
  Scratch scratch;
  const std::string thick = scratch.name("thick");
  const std::string thin = scratch.name("thin");
  const std::string snap = scratch.name("thin");
  const std::string striped = scratch.name("striped");
  REQUIRE(scratch.client.create(create_request("thick", thick, 12 * kMiB)).ok());
  REQUIRE(scratch.client.create(create_request("striped", striped, 12 * kMiB)).ok());
  REQUIRE(scratch.client.create(create_request("thin", thin, 8 * kMiB)).ok());
  REQUIRE(scratch.client.snapshot(snapshot_request("thin", snap, thin, "ro")).ok());
  for (const char* const device_class : {"thick", "thin", "striped"}) {
    const auto answer = scratch.client.list(device_class);
    REQUIRE(answer.ok());
    CHECK(answer.response.volumes_size() > 0);
    for (const proto::LogicalVolume& volume : answer.response.volumes()) {
      std::string lvs = output_of(
          "lvs --noheadings --nosuffix --units b --separator , -o "
          "lv_name,lv_size,lv_kernel_major,lv_kernel_minor,lv_path,lv_attr " +
          volume.path() + " | tr -d ' '");
      // Who opens a volume raises no event (udev does, for moments): 'o' is as of its observation.
      const std::size_t open = lvs.size() - 5;
      lvs[open] = volume.attr()[5];
      CHECK(lvs == volume.name() + "," + std::to_string(volume.size_bytes()) + "," +
                       std::to_string(volume.dev_major()) + "," +
                       std::to_string(volume.dev_minor()) + "," + volume.path() + "," +
                       volume.attr());
    }
  }
}

TEST_CASE("a volume made by hand is listed within a second, though nothing polls [P-RUN-3]",
          "[system]") {
  Scratch scratch;
  must("lvcreate -y -q -an -Zn -Wn -n by_hand -L 8M vg_thick");
  CHECK(eventually([&] { return listed(scratch.client, "thick", "by_hand").name() == "by_hand"; },
                   std::chrono::seconds{1}));
  must("lvremove -y -q vg_thick/by_hand");
  CHECK(eventually([&] { return listed(scratch.client, "thick", "by_hand").name().empty(); },
                   std::chrono::seconds{1}));
}

TEST_CASE("growing a group by hand is a message of Watch [P-WATCH-2]", "[system]") {
  Scratch scratch;
  const auto watch = scratch.client.watch();
  const auto first = watch->next(kCallLimit);
  REQUIRE(first);
  must("vgextend -q vg_thick /dev/disk/by-id/virtio-data1");
  std::uint64_t grown = first->free_bytes();
  while (const auto next = watch->next(std::chrono::seconds{3})) {
    grown = next->free_bytes();
    if (grown > first->free_bytes()) break;
  }
  CHECK(grown == first->free_bytes() + (8ULL << 30U) - 4 * (1ULL << 20U));
  must("vgreduce -q vg_thick /dev/disk/by-id/virtio-data1");
  must("pvremove -q /dev/disk/by-id/virtio-data1");
}
