// LVM suspends a volume for the moment of a change. A worker that dies in that moment leaves it so,
// and every read and write of it hangs: the successor lets them go on.
#include <fcntl.h>
#include <signal.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/served_group.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;

namespace {

constexpr const char* kWorker = "lvmd-worker vg_thick";

// A thin volume that lvmd knows nothing of, open for as long as the object lives.
class Source {
 public:
  explicit Source(std::string name) : name_(std::move(name)) {
    must("lvcreate -q -y -V 8M --thinpool vg_thick/pool -n " + name_);
    open_.reset(::open(("/dev/vg_thick/" + name_).c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(open_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    static_cast<void>(shell("for each in pool_tmeta pool_tdata pool-tpool pool " + name_ +
                            "; do dmsetup resume vg_thick-$each; done"));
    open_.reset();
    static_cast<void>(shell("lvremove -q -f -y vg_thick/" + name_));
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string device() const { return "vg_thick-" + name_; }

 private:
  std::string name_;
  lvmd::UniqueFd open_;
};

// "Suspended" or "Active".
std::string condition(const std::string& device) {
  return output_of("dmsetup info -c --noheadings -o suspended " + device);
}

// Waits for the read 10 s at most. No signal ends a read of a suspended device, so nothing waits
// for its process, which has none of the shell's output files. The read ends when ~Source resumes.
bool can_be_read(const Source& source) {
  return shell("dd if=/dev/vg_thick/" + source.name() +
               " of=/dev/null bs=64k count=1 iflag=direct status=none >/dev/null 2>&1 & "
               "timeout 10 tail -s 0.1 -f /dev/null --pid $! && wait $!")
             .exit_code == 0;
}

// Has a snapshot of `source` begun, and the worker killed when the record of it is on the disk and
// `suspend`, a command, has run.
void die_in_snapshot(const Source& source, const std::string& snapshot,
                     const std::string& suspend) {
  std::jthread call;
  const Failpoint held{"worker.begun"};
  call = std::jthread{[&] {
    Client client{kSocket};
    static_cast<void>(client.snapshot(snapshot_request("thin", snapshot, source.name(), "rw")));
  }};
  REQUIRE(eventually([] { return waits_at(pid_of(kWorker), "worker.begun"); }, kStepLimit));
  must(suspend);
  REQUIRE(::kill(pid_of(kWorker), SIGKILL) == 0);
}

bool makes_snapshot(const Source& source, const std::string& snapshot) {
  return eventually(
      [&] {
        Client client{kSocket};
        return client.snapshot(snapshot_request("thin", snapshot, source.name(), "rw")).ok();
      },
      kStepLimit);
}

}  // namespace

TEST_CASE("the source of an interrupted snapshot is resumed, open and not lvmd's [P-INTENT-4]",
          "[system]") {
  Scratch scratch;
  const Source source{"hand_source"};
  const std::string snapshot = scratch.name("thin");
  const std::string begin = journal_cursor();
  die_in_snapshot(source, snapshot, "dmsetup suspend " + source.device());
  REQUIRE(eventually([&] { return condition(source.device()) == "Active"; }, kStepLimit));
  CHECK(can_be_read(source));
  CHECK(eventually(
      [&] { return journal_since(begin).contains(source.device() + " was left suspended"); }));
  CHECK(makes_snapshot(source, snapshot));
}

TEST_CASE(
    "its pool is resumed before it, and a table that nobody committed is dropped [P-INTENT-4]",
    "[system]") {
  Scratch scratch;
  const Source source{"hand_source2"};
  const std::string snapshot = scratch.name("thin");
  const std::string table = output_of("dmsetup table " + source.device());
  die_in_snapshot(source, snapshot,
                  "dmsetup suspend " + source.device() + " && dmsetup load " + source.device() +
                      " --table '0 16384 error' && dmsetup suspend vg_thick-pool-tpool && "
                      "dmsetup suspend vg_thick-pool_tdata && dmsetup suspend vg_thick-pool_tmeta");
  REQUIRE(eventually([&] { return condition(source.device()) == "Active"; }, kStepLimit));
  for (const char* const device : {"pool-tpool", "pool_tdata", "pool_tmeta"}) {
    CAPTURE(device);
    REQUIRE(condition(std::string{"vg_thick-"} + device) == "Active");
  }
  CHECK(output_of("dmsetup table " + source.device()) == table);
  CHECK(output_of("dmsetup table --inactive " + source.device()).empty());
  CHECK(can_be_read(source));
  CHECK(makes_snapshot(source, snapshot));
}

TEST_CASE("what another program's LVM command suspended is left to it [P-INTENT-4]", "[system]") {
  Scratch scratch;
  const Source source{"hand_source3"};
  const std::string snapshot = scratch.name("thin");
  // Whoever holds LVM's lock may be in the middle of a change.
  die_in_snapshot(source, snapshot,
                  "dmsetup suspend " + source.device() +
                      "; (flock -x 9; sleep 4) 9>/run/lock/lvm/V_vg_thick >/dev/null 2>&1 &");
  REQUIRE(eventually([] { return pid_of(kWorker) != 0; }, kStepLimit));
  std::this_thread::sleep_for(std::chrono::seconds{1});
  CHECK(condition(source.device()) == "Suspended");
  REQUIRE(eventually([&] { return condition(source.device()) == "Active"; }, kStepLimit));
  CHECK(makes_snapshot(source, snapshot));
}

TEST_CASE("what no interrupted change names stays suspended [P-INTENT-4]", "[system]") {
  const Source source{"hand_source4"};
  must("dmsetup suspend " + source.device());
  must("systemctl restart lvmd.service");
  Client client{kSocket};
  REQUIRE(eventually([&] { return client.free_bytes("thin").ok(); }, kStepLimit));
  std::this_thread::sleep_for(std::chrono::seconds{2});
  CHECK(condition(source.device()) == "Suspended");
}
