// Each process is killed at each step of each change; then the same call is made again. LVM, the
// kernel, lvmd's records and its answers must agree, and nothing may be left over.
#include <fcntl.h>
#include <signal.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace fs = std::filesystem;

namespace {

constexpr const char* kIntents = "/var/lib/lvmd/intents/vg_thick";

std::size_t open_intents() {
  std::size_t count = 0;
  for (const char* const folder : {"new", "present"})
    for (const auto& record : fs::directory_iterator{fs::path{kIntents} / folder})
      count += record.is_regular_file() ? 1 : 0;
  return count;
}

// Of the volume as LVM's report has it; "" when there is no such volume.
std::string field(const std::string& volume, const std::string& name) {
  const Done done =
      shell(fmt::format("lvs --noheadings --nosuffix --units b -o {} vg_thick/{}", name, volume));
  if (done.exit_code != 0) return {};
  const std::size_t begin = done.output.find_first_not_of(" \n");
  if (begin == std::string::npos) return {};
  return done.output.substr(begin, done.output.find_last_not_of(" \n") - begin + 1);
}

// One question to LVM: under emulation each takes a third of a second.
void check_agreement(Client& client, const std::string& device_class, const std::string& volume) {
  const proto::LogicalVolume shown = listed(client, device_class, volume);
  const std::string report = field(volume, "lv_name,lv_size,lv_active,lv_suspended --separator ,");
  if (shown.name().empty()) {
    CHECK(report.empty());
    return;
  }
  CHECK(report == fmt::format("{},{},active,", volume, shown.size_bytes()));
  std::uint64_t sectors = 0;
  std::ifstream{fmt::format("/sys/dev/block/{}:{}/size", shown.dev_major(), shown.dev_minor())} >>
      sectors;
  CHECK(sectors * 512 == static_cast<std::uint64_t>(shown.size_bytes()));
}

struct Verb {
  const char* name;
  const char* device_class;
  // Makes the call until it is told something final, and says what.
  std::function<Code(Client&)> call;
  bool makes_new = false;
};

struct Step {
  const char* process;
  const char* failpoint;
};

// One of each process, where the most is half done; and all the others.
constexpr auto kMiddleSteps = std::to_array<Step>({
    {"lvmd-worker vg_thick", "worker.ran"},
    {"lvmd-server", "server.replied"},
    {"lvmd-observer vg_thick", "worker.ran"},
});
constexpr auto kOtherSteps = std::to_array<Step>({
    {"lvmd-worker vg_thick", "worker.begun"},
    {"lvmd-worker vg_thick", "worker.finished"},
    {"lvmd-worker vg_thick", "worker.ended"},
    {"lvmd-worker vg_thick", "worker.replied"},
    {"lvmd-server", "worker.ran"},
});

// The process in which the failpoint is.
std::string host_of(const Step& step) {
  return std::string_view{step.failpoint}.starts_with("server.") ? "lvmd-server"
                                                                 : "lvmd-worker vg_thick";
}

template <typename Call>
Code until_final(const Call& call) {
  Code code = Code::kUnknown;
  REQUIRE(eventually(
      [&] {
        code = call().code;
        return code != Code::kUnavailable;
      },
      std::chrono::seconds{60}));
  return code;
}

void interrupt(const Verb& verb, const Step& step, const std::string& volume) {
  Client client{kSocket};
  std::jthread call;
  {
    const Failpoint failpoint{step.failpoint};
    call = std::jthread{[&verb] {
      // A worker that isn't attached yet says so.
      static_cast<void>(eventually(
          [&verb] {
            Client first{kSocket};
            return verb.call(first) != Code::kUnavailable;
          },
          kStepLimit));
    }};
    // Looked up anew each time: whoever was killed in the step before may only now be coming back.
    REQUIRE(
        eventually([&] { return waits_at(pid_of(host_of(step)), step.failpoint); }, kStepLimit));
    if (verb.makes_new && std::string_view{step.failpoint} == "worker.ran") {
      // LVM has it, and nobody is shown it.
      CHECK(field(volume, "lv_name") == volume);
      CHECK(listed(client, verb.device_class, volume).name().empty());
    }
    int victim = 0;
    REQUIRE(eventually([&] { return (victim = pid_of(step.process)) != 0; }, kStepLimit));
    REQUIRE(::kill(victim, SIGKILL) == 0);
  }
  call.join();
  CHECK(eventually([&] { return open_intents() == 0; }, std::chrono::seconds{30}));
}

// Each kind of change, with the process killed at the step, and then asked for again.
void kill_in_every_change(const Step& step) {
  CAPTURE(step.process, step.failpoint);
  Scratch scratch;
  const std::string thick = scratch.name("thick");
  const std::string source = scratch.name("thin");
  const std::string snapshot = scratch.name("thin");

  const auto run = [&](const Verb& verb, const std::string& volume, Code final) {
    CAPTURE(verb.name);
    interrupt(verb, step, volume);
    CHECK(until_final([&] {
            Client again{kSocket};
            return Answer<proto::Empty>{.code = verb.call(again), .message = {}, .response = {}};
          }) == final);
    Client client{kSocket};
    check_agreement(client, verb.device_class, volume);
    CHECK(open_intents() == 0);
  };

  run({"create thick", "thick",
       [&](Client& client) { return client.create(create_request("thick", thick, 8 * kMiB)).code; },
       true},
      thick, Code::kOk);
  // What the extents held before is not there: the volume reads as a fresh one does.
  CHECK(output_of("blkid -p /dev/vg_thick/" + thick + " || true").empty());
  run({"resize", "thick",
       [&](Client& client) {
         return client.resize(resize_request("thick", thick, 16 * kMiB)).code;
       }},
      thick, Code::kOk);
  CHECK(field(thick, "lv_size") == std::to_string(16 * kMiB));
  // The others never touch a volume: two changes show what their death does to a call.
  if (std::string_view{step.process} == "lvmd-worker vg_thick") {
    run({"create thin", "thin",
         [&](Client& client) {
           return client.create(create_request("thin", source, 8 * kMiB)).code;
         },
         true},
        source, Code::kOk);
    run({"snapshot", "thin",
         [&](Client& client) {
           return client.snapshot(snapshot_request("thin", snapshot, source, "ro")).code;
         },
         true},
        snapshot, Code::kOk);
    CHECK(field(snapshot, "lv_permissions") == "read-only");
    run({"remove thin", "thin",
         [&](Client& client) { return client.remove(remove_request("thin", snapshot)).code; }},
        snapshot, Code::kNotFound);
  }
  run({"remove thick", "thick",
       [&](Client& client) { return client.remove(remove_request("thick", thick)).code; }},
      thick, Code::kNotFound);
}

}  // namespace

TEST_CASE(
    "a process killed in the middle of a change loses nothing and leaves nothing [P-INTENT-1, "
    "E-CRASH-1]",
    "[system]") {
  kill_in_every_change(GENERATE(from_range(std::begin(kMiddleSteps), std::end(kMiddleSteps))));
}

TEST_CASE("a process killed at any other step of a change, too [P-INTENT-1, E-CRASH-1]",
          "[.][long]") {
  kill_in_every_change(GENERATE(from_range(std::begin(kOtherSteps), std::end(kOtherSteps))));
}

TEST_CASE(
    "a new volume that can't be made whole is hidden until it is removed [P-INTENT-2, P-INTENT-3]",
    "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  Answer<proto::CreateLVResponse> answer;
  lvmd::UniqueFd held;
  {
    std::jthread call;
    const Failpoint failpoint{"worker.ran"};
    call = std::jthread{[&] {
      Client client{kSocket};
      answer = client.create(create_request("thick", name, 8 * kMiB));
    }};
    REQUIRE(eventually([&] { return waits_at(pid_of("lvmd-worker vg_thick"), "worker.ran"); },
                       kStepLimit));
    // Somebody takes the device before lvmd has made it blank.
    // udev may not have made its link yet.
    REQUIRE(eventually(
        [&] {
          held.reset(::open(("/dev/vg_thick/" + name).c_str(), O_RDWR | O_EXCL | O_CLOEXEC));
          return static_cast<bool>(held);
        },
        kStepLimit));
    fs::remove(kFailpoint);
  }
  CHECK(answer.code == Code::kFailedPrecondition);
  CHECK(answer.says("in use"));
  CHECK(answer.says("hidden"));
  CHECK(field(name, "lv_name") == name);
  CHECK(listed(scratch.client, "thick", name).name().empty());
  const auto again = scratch.client.create(create_request("thick", name, 8 * kMiB));
  CHECK(again.code == Code::kUnavailable);
  CHECK(again.says("has an incomplete change"));
  // Other volumes are made as ever.
  CHECK(scratch.client.create(create_request("thick", scratch.name("thick"), 8 * kMiB)).ok());

  held.reset();
  CHECK(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  CHECK(open_intents() == 0);
  CHECK(listed(scratch.client, "thick", name).name() == name);
}

TEST_CASE("a record that nobody can read hides its volume, and deleting it shows it [P-INTENT-2]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  const fs::path record = fs::path{kIntents} / "new" / name;
  std::ofstream{record} << "nonsense";
  must("systemctl restart lvmd.service");
  Client client{kSocket};
  CHECK(listed(client, "thick", name).name().empty());
  CHECK(client.remove(remove_request("thick", name)).code == Code::kUnavailable);
  CHECK(output_of("journalctl -u lvmd.service -o cat").find(record) != std::string::npos);
  fs::remove(record);
  CHECK(client.create(create_request("thick", name, 8 * kMiB)).ok());
  CHECK(listed(client, "thick", name).name() == name);
}

TEST_CASE("records of a newer lvmd are acted upon by nobody, and the log says so [P-INTENT-2]",
          "[system]") {
  const bool later_format = GENERATE(true, false);
  CAPTURE(later_format);
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  // A removal that a newer lvmd has begun, as far as this one can read.
  const fs::path record = fs::path{kIntents} / "present" / name;
  const std::string vg_id = field(name, "vg_uuid");
  std::ofstream{record} << (later_format ? "lvmd.intent.v2\nkind=remove\n"
                                         : "lvmd.intent.v1\nkind=shred\n")
                        << "volume=" << name << "\nvg-id=" << vg_id << "\nseqno=1\nsize=0\nend\n";
  const std::string begin = output_of("date '+%Y-%m-%d %H:%M:%S.%N'");
  must("systemctl restart lvmd.service");
  Client client{kSocket};
  const auto refused = client.resize(resize_request("thick", name, 16 * kMiB));
  INFO(refused.message);
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.says("newer lvmd"));
  CHECK(client.remove(remove_request("thick", name)).code == Code::kUnavailable);
  CHECK(field(name, "lv_size") == std::to_string(8 * kMiB));
  CHECK(fs::exists(record));
  const std::string journal =
      output_of("journalctl -u lvmd.service --no-pager -o cat --since '" + begin + "'");
  INFO(journal);
  const std::string logged = "lvmd does not act on the record " + record.string();
  REQUIRE(journal.contains(logged));
  CHECK(journal.contains("a newer lvmd wrote the record"));
  // Once, not with each change.
  CHECK(journal.find(logged) == journal.rfind(logged));
  fs::remove(record);
  CHECK(client.remove(remove_request("thick", name)).ok());
}
