#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "lvmd/volumes/observer/observation.hpp"
#include "tests/unit/metadata/pv_image.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::volumes::observer;
using namespace std::chrono_literals;

namespace {

const Clock::time_point kStart = Clock::now();

// Devices that cannot be opened, so reading them fails.
model::VgAccess no_devices() {
  return {.devices = {"/nonexistent/a", "/nonexistent/b"}, .system_id = {}};
}

// A group with a layout that only LVM's report describes, and an lvm script that prints a report
// after allow().
struct ReportedGroup {
  metadata::test::ScratchFolder folder;
  metadata::test::PvImage pv0{folder.file("pv0"), metadata::test::kPv0Id};
  metadata::test::PvImage pv1{folder.file("pv1"), metadata::test::kPv1Id};
  std::string lvm = folder.file("lvm");

  ReportedGroup() {
    const std::string text = metadata::test::sample_with("type = \"striped\"", "type = \"vdo\"");
    pv0.commit(text);
    pv1.commit(text);
    const std::string vg =
        R"({"vg_uuid":"Ukn0Sw-5p2r-NL0P-jZ2c-Q8W1-aBcD-eFgHiJ", "vg_name":"vg1", )"
        R"("vg_seqno":"42", "vg_extent_size":"4194304","vg_exported":""})";
    std::ofstream{lvm} << "#!/bin/sh\ntest -e " << folder.file("may")
                       << " || { echo the lock is held >&2; exit 5; }\ncat <<END\n"
                       << R"({"report": [{"vg": [)" << vg
                       << R"(], "pv": [], "lv": [], "seg": [], "pvseg": []}]})" << "\nEND\n";
    std::filesystem::permissions(lvm, std::filesystem::perms::owner_all);
  }
  void allow() const { std::ofstream{folder.file("may")}; }
  void forbid() const { std::filesystem::remove(folder.file("may")); }
  [[nodiscard]] model::VgAccess access() const {
    return {.devices = {pv0.path(), pv1.path()}, .system_id = {}};
  }
};

}  // namespace

TEST_CASE(
    "the group is read at the end of a burst of events, but not later than the longest delay "
    "[P-RUN-3]",
    "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  CHECK_FALSE(observation.due());
  observation.mark_changed(kStart);
  REQUIRE(observation.due());
  const auto quiet = *observation.due() - kStart;
  CHECK(quiet > 0ms);
  observation.mark_changed(kStart + 10ms);
  CHECK(*observation.due() == kStart + 10ms + quiet);
  for (auto at = 20ms; at < 1000ms; at += 10ms) observation.mark_changed(kStart + at);
  CHECK(*observation.due() <= kStart + 200ms);
}

TEST_CASE("reading waits while the worker makes changes, but less than a second [P-RUN-3]",
          "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.mark_changed(kStart - 1h);
  const auto quiet = *observation.due() - (kStart - 1h);
  observation.postpone(kStart);
  CHECK_FALSE(observation.read(kStart));
  CHECK_FALSE(observation.due());
  observation.mark_changed(kStart + 10ms);
  CHECK(*observation.due() == kStart + 500ms);
  observation.mark_changed(kStart + 490ms);
  CHECK(*observation.due() == kStart + 500ms);
  for (auto at = 100ms; at < 1000ms; at += 100ms) observation.postpone(kStart + at);
  CHECK(*observation.due() == kStart + 10ms + 700ms);
  CHECK_FALSE(observation.read(kStart + 710ms));
  observation.mark_changed(kStart + 2s);
  CHECK(*observation.due() == kStart + 2s + quiet);
}

TEST_CASE("a state is returned once, and again when it has changed [P-WATCH-4]", "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.set_access(no_devices(), kStart);
  CHECK(observation.due());
  const auto first = observation.read(kStart + 20ms);
  REQUIRE(first);
  CHECK(first->name == "vg0");
  REQUIRE_FALSE(first->group);
  CHECK_FALSE(observation.due());
  CHECK_FALSE(observation.read(kStart + 40ms));
}

TEST_CASE(
    "while LVM's report fails, the last state stays valid and the report is retried [P-STATE-6]",
    "[observer]") {
  const ReportedGroup group;
  Observation observation{"vg1", group.lvm};
  observation.set_access(group.access(), kStart);
  group.allow();
  const auto first = observation.read(kStart);
  REQUIRE(first);
  INFO((first->group ? "" : first->group.error().message));
  REQUIRE(first->group);

  group.forbid();
  CHECK_FALSE(observation.read(kStart + 1s));
  REQUIRE(observation.due());
  CHECK(*observation.due() > kStart + 2s);
  CHECK(observation.id() == first->group->id);
  // A change does not wait for the retry.
  observation.mark_changed(kStart + 2s);
  CHECK(*observation.due() < kStart + 3s);
  CHECK_FALSE(observation.read(kStart + 3s));
  // The same report is no new state.
  group.allow();
  CHECK_FALSE(observation.read(kStart + 13s));
  CHECK_FALSE(observation.due());
}

TEST_CASE("a group is unavailable, with LVM's message, until its first report succeeds [P-STATE-6]",
          "[observer]") {
  const ReportedGroup group;
  Observation observation{"vg1", group.lvm};
  observation.set_access(group.access(), kStart);
  const auto state = observation.read(kStart);
  REQUIRE(state);
  REQUIRE_FALSE(state->group);
  CHECK(state->group.error().code == Code::kUnavailable);
  CHECK_THAT(state->group.error().message, Catch::Contains("the lock is held"));
}

TEST_CASE("while the group does not exist, this is returned once [P-STATE-1]", "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.set_access(fail(Code::kUnavailable, "volume group vg0 does not exist"), kStart);
  const auto state = observation.read(kStart + 20ms);
  REQUIRE(state);
  REQUIRE_FALSE(state->group);
  CHECK(state->group.error().code == Code::kUnavailable);
  CHECK(observation.devices().empty());
  observation.mark_changed(kStart + 30ms);
  CHECK_FALSE(observation.read(kStart + 50ms));
}

TEST_CASE("LVM is queried at once, and again for a group in doubt, but not too often [P-STATE-3]",
          "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  REQUIRE(observation.discovery_due());
  CHECK(*observation.discovery_due() <= kStart);
  observation.discovery_begun(kStart);
  CHECK_FALSE(observation.discovery_due());
  // Before LVM's first answer the group is not in doubt.
  observation.mark_devices_changed(kStart);
  CHECK_FALSE(observation.discovery_due());

  observation.set_access(fail(Code::kUnavailable, "volume group vg0 does not exist"), kStart);
  // Without an event LVM is not queried for a missing group.
  CHECK_FALSE(observation.discovery_due());
  observation.mark_devices_changed(kStart + 100ms);
  REQUIRE(observation.discovery_due());
  CHECK(*observation.discovery_due() >= kStart + 500ms);
}

TEST_CASE("LVM is queried again without an event if it did not answer in time [P-STATE-3]",
          "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.discovery_begun(kStart);
  observation.set_access(fail(Code::kDeadlineExceeded, "no answer"), kStart + 10s);
  REQUIRE(observation.discovery_due());
  CHECK(*observation.discovery_due() == kStart + 11s);
  const auto state = observation.read(kStart + 10s);
  REQUIRE(state);
  REQUIRE_FALSE(state->group);
  CHECK(state->group.error().code == Code::kUnavailable);
}

TEST_CASE("a group that LVM refuses because of duplicate PVs exists [P-STATE-1]", "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.set_access(fail(Code::kUnavailable, "volume group vg0 does not exist"), kStart);
  CHECK_FALSE(observation.exists_unread());
  observation.set_access(fail(Code::kFailedPrecondition, "/dev/a and /dev/b are one"), kStart);
  CHECK(observation.exists_unread());
  const auto state = observation.read(kStart + 20ms);
  REQUIRE(state);
  REQUIRE_FALSE(state->group);
  CHECK(state->group.error().code == Code::kUnavailable);
}

TEST_CASE("for a renamed group, the state contains the new name [P-STATE-9]", "[observer]") {
  const metadata::test::ScratchFolder folder;
  metadata::test::PvImage pv0{folder.file("pv0"), metadata::test::kPv0Id};
  const model::VgAccess access{.devices = {pv0.path()}, .system_id = {}};
  pv0.commit(metadata::test::sample_text());
  Observation observation{"vg1", "/nonexistent/lvm"};
  observation.set_access(access, kStart);
  REQUIRE(observation.read(kStart + 1s));
  pv0.commit(metadata::test::sample_with("vg1 {", "vg9 {"));
  const auto gone = [] { return fail(Code::kUnavailable, "volume group vg1 does not exist"); };
  // The new name is also used for LVM's second answer.
  for (const auto at : {2s, 3s}) {
    observation.set_access(gone(), kStart + at);
    const auto state = observation.read(kStart + at);
    REQUIRE(state.has_value() == (at == 2s));
    if (!state) continue;
    REQUIRE_FALSE(state->group);
    CHECK_THAT(state->group.error().message, Catch::Contains("now have the volume group vg9") &&
                                                 Catch::Contains("vgrename vg9 vg1"));
  }
  CHECK_FALSE(observation.read(kStart + 4s));
}

TEST_CASE("without pools LVM is not queried for dmeventd's monitoring [P-HEALTH-9]", "[observer]") {
  const metadata::test::ScratchFolder folder;
  metadata::test::PvImage pv0{folder.file("pv0"), metadata::test::kPv0Id};
  pv0.commit(metadata::test::sample_text());
  Observation observation{"vg1", "/nonexistent/lvm"};
  observation.set_access(model::VgAccess{.devices = {pv0.path()}, .system_id = {}}, kStart);
  REQUIRE(observation.read(kStart));
  observation.mark_written(kStart + 1s);
  CHECK_FALSE(observation.monitoring_due());
}

TEST_CASE("a change of the unmonitored pools causes a read, an error does not [P-HEALTH-9]",
          "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  observation.set_unmonitored(fail(Code::kInternal, "no answer"), kStart);
  CHECK_FALSE(observation.due());
  REQUIRE(observation.monitoring_due());
  CHECK(*observation.monitoring_due() == kStart + 10s);
  observation.set_unmonitored(std::vector<std::string>{"pool0"}, kStart + 1s);
  REQUIRE(observation.due());
  CHECK_FALSE(observation.monitoring_due());
}

TEST_CASE("without a known pool no status is read", "[observer]") {
  Observation observation{"vg0", "/nonexistent/lvm"};
  bool queried = false;
  const PoolQuery query = [&queried](std::string_view, std::string_view) {
    queried = true;
    return Result<std::optional<model::ThinPoolState>>{std::nullopt};
  };
  observation.check_status(
      query, [](std::string_view, std::string_view) { return std::nullopt; }, kStart);
  CHECK_FALSE(queried);
  CHECK_FALSE(observation.changes_silently());
  CHECK_FALSE(observation.due());
}
