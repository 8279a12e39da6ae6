// The copies of the metadata in the host's folders, which lvmd writes in place of LVM's commands.
#include <fmt/format.h>
#include <signal.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/lvmlocal.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;

namespace {

constexpr const char* kBackup = "/etc/lvm/backup/vg_striped";
constexpr const char* kArchives = "/etc/lvm/archive/vg_striped_*.vg";

// Without `backup=0`, each report of LVM writes the copies if the backup is out of date.
std::string committed_seqno() {
  return output_of("vgs --noheadings --config backup/backup=0 -o vg_seqno vg_striped | tr -d ' '");
}

// Whether the backup is the state that LVM has committed.
bool is_current() {
  const std::string seqno = committed_seqno();
  return output_of(std::string{"sed -n 's/^\\s*seqno = //p' "} + kBackup + " | head -n 1") == seqno;
}

bool is_current_by_lvmd() {
  return is_current() && shell(std::string{"grep -q 'copied by lvmd' "} + kBackup).exit_code == 0;
}

int archives() { return std::stoi(output_of(std::string{"ls "} + kArchives + " | wc -l")); }

void create(Scratch& scratch) {
  const auto made =
      scratch.client.create(create_request("striped", scratch.name("striped"), 8 * kMiB));
  INFO(made.message);
  REQUIRE(made.ok());
}

// After this, lvmd knows LVM's settings, although an earlier case may have changed them.
void first_change(Scratch& scratch) {
  create(scratch);
  REQUIRE(eventually(is_current));
  create(scratch);
  REQUIRE(eventually(is_current_by_lvmd));
}

}  // namespace

TEST_CASE("a change has its archive and its backup, and vgcfgrestore takes them [P-RUN-24]",
          "[system]") {
  Scratch scratch;
  first_change(scratch);
  const int before = archives();
  const std::string name = scratch.name("striped");
  REQUIRE(scratch.client.create(create_request("striped", name, 8 * kMiB)).ok());
  REQUIRE(scratch.client.resize(resize_request("striped", name, 16 * kMiB)).ok());
  create(scratch);
  CHECK(eventually(is_current));
  CHECK(archives() == before + 3);
  const std::string newest =
      output_of(std::string{"ls "} + kArchives + " | sort --version-sort | tail -n 1");
  CHECK(output_of("grep description " + newest).find("*before* executing 'lvcreate ") !=
        std::string::npos);
  CHECK(output_of("vgcfgrestore --list vg_striped").find(newest) != std::string::npos);
  must("vgcfgrestore --yes --test vg_striped");
  must("vgcfgrestore --yes --test --file " + newest + " vg_striped");
}

TEST_CASE("lvmd writes the copies of the first change after its start [P-RUN-24]", "[system]") {
  must("systemctl restart lvmd.service");
  Scratch scratch;
  const int before = archives();
  create(scratch);
  CHECK(eventually(is_current_by_lvmd));
  CHECK(archives() == before + 1);
}

TEST_CASE("no archive is missing if LVM writes the copies before lvmd does [P-RUN-24]",
          "[system]") {
  Scratch scratch;
  first_change(scratch);
  const int begin = std::stoi(committed_seqno());
  create(scratch);
  const std::string name = scratch.name("striped");
  Code answer = Code::kUnknown;
  std::jthread caller;
  {
    // The worker writes nothing while it waits here, after LVM's commit.
    const Failpoint held{"worker.finished"};
    caller = std::jthread{[&] {
      Client client{kSocket};
      answer = client.create(create_request("striped", name, 8 * kMiB)).code;
    }};
    REQUIRE(
        eventually([&] { return waits_at(pid_of("lvmd-worker vg_striped"), "worker.finished"); }));
    must("vgs vg_striped");
    CHECK(output_of(std::string{"grep -h description "} + kBackup).contains("executing 'vgs "));
  }
  caller.join();
  CHECK(answer == Code::kOk);
  const int end = std::stoi(committed_seqno());
  for (int seqno = begin; seqno < end; ++seqno)
    CHECK(eventually([&] {
      return shell(fmt::format("grep -q -E '^\\s*seqno = {}$' {}", seqno, kArchives)).exit_code ==
             0;
    }));
}

TEST_CASE("many archives are in the log once [P-RUN-24]", "[system]") {
  must("for i in {10..29}; do truncate -s 10M /etc/lvm/archive/vg_striped_000$i-1.vg; done");
  must("systemctl restart lvmd.service");
  Scratch scratch;
  first_change(scratch);
  create(scratch);
  REQUIRE(eventually(is_current));
  CHECK(output_of("journalctl -b --no-pager -o cat -u lvmd.service | "
                  "grep -c '/etc/lvm/archive has .* archives of the metadata, 2.. MiB'") == "1");
  must("rm /etc/lvm/archive/vg_striped_000*-1.vg");
}

TEST_CASE("the backup is current when lvmd has stopped [P-RUN-24]", "[system]") {
  Scratch scratch;
  first_change(scratch);
  create(scratch);
  must("systemctl stop lvmd.service");
  CHECK(is_current());
  must("systemctl start lvmd.service");
}

TEST_CASE("the backup becomes current again after a worker was killed [P-RUN-24]", "[system]") {
  Scratch scratch;
  first_change(scratch);
  create(scratch);
  REQUIRE(::kill(pid_of("lvmd-worker vg_striped"), SIGKILL) == 0);
  CHECK(eventually(is_current));
}

TEST_CASE("a host without backups and archives gets none [P-RUN-24]", "[system]") {
  Scratch scratch;
  first_change(scratch);
  const int before = archives();
  const Lvmlocal none{"backup {\\n backup = 0\\n archive = 0\\n}\\n"};
  create(scratch);
  create(scratch);
  must("systemctl stop lvmd.service");
  CHECK(archives() == before);
  CHECK_FALSE(is_current());
  must("systemctl start lvmd.service");
}
