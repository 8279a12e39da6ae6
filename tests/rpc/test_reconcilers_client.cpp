// The client of lvmd-reconciler: calls to lvmd, and waiting for it.
#include <catch2/catch.hpp>
#include <future>
#include <mutex>
#include <thread>

#include "lvmd/base/reason.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"
#include "reconciler/model/reason.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

TEST_CASE("lvmd finishes a call that timed out, and the next attempt finds the result [R-FAIL-8]",
          "[rpc]") {
  STATIC_REQUIRE(reconciler::kCallLimit == 120s);
  const auto node = start_node();
  fakes::FakeWorker& worker = node->worker("vg_thick");
  const auto service = reconciler::make_lvmd_client(node->socket(), 500ms);
  const reconciler::VolumeName volume{.name = "one", .device_class = "thick"};
  worker.hold();
  const auto late = service->create(volume, "", {static_cast<std::uint64_t>(kExtent)}, "", "");
  REQUIRE_FALSE(late);
  CHECK(late.error().code == Code::kDeadlineExceeded);
  worker.release();
  CHECK(eventually([&] {
    const auto found = service->find(volume);
    return found && found->has_value();
  }));
}

TEST_CASE("lvmd reports the volume group of every usable class [R-OBJ-17]", "[rpc]") {
  const auto node = start_node();
  const auto service = reconciler::make_lvmd_client(node->socket());
  const auto groups = [&] {
    const auto classes = service->classes("one");
    REQUIRE(classes.has_value());
    std::vector<std::string> found;
    for (const auto& entry : *classes)
      found.push_back(entry.device_class + " " + entry.volume_group +
                      (entry.has_volume ? " has it" : ""));
    return found;
  };
  using Groups = std::vector<std::string>;
  CHECK(groups() == Groups{"thick vg_thick", "thin vg_thick", "striped vg_striped"});
  REQUIRE(service->create({.name = "one", .device_class = "thin"}, "", {kExtent}, "", ""));
  REQUIRE(service->create({.name = "two", .device_class = "striped"}, "", {kExtent}, "", ""));
  CHECK(groups() == Groups{"thick vg_thick", "thin vg_thick has it", "striped vg_striped"});
}

TEST_CASE("a snapshot is requested with source, access type and size [R-SRC-3]", "[rpc]") {
  const auto node = start_node();
  const auto service = reconciler::make_lvmd_client(node->socket());
  REQUIRE(service->create({.name = "origin", .device_class = "thin"}, "", {kExtent}, "", ""));
  const reconciler::VolumeName clone{.name = "clone", .device_class = "thin"};
  CHECK(service->create_snapshot(clone, "origin", "rw", {2 * kExtent}, "") ==
        reconciler::Bytes{2 * kExtent});
  const auto found = service->find(clone);
  REQUIRE(found.has_value());
  CHECK(*found == reconciler::Bytes{2 * kExtent});
  const auto wrong = service->create_snapshot({.name = "other", .device_class = "thin"}, "nobody",
                                              "ro", {kExtent}, "");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().reason == reason::kSourceNotFound);
}

TEST_CASE("the use of volumes is reported at once, until a stop [R-CSI-2]", "[rpc]") {
  const auto node = start_node();
  const auto service = reconciler::make_volume_use_client(node->socket());
  std::promise<reconciler::VolumeUses> first;
  Status ended;
  std::jthread watching{[&] {
    ended = service->watch([&](const reconciler::VolumeUses& uses) { first.set_value(uses); });
  }};
  auto seen = first.get_future();
  REQUIRE(seen.wait_for(kLimit) == std::future_status::ready);
  CHECK(seen.get() == reconciler::VolumeUses{});
  service->stop();
  watching.join();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == Code::kCancelled);
}

TEST_CASE("an lvmd without the call is told from one that is away [R-CSI-2]", "[rpc]") {
  const auto node = start_node();
  // The read-only socket has no MountService.
  const auto without = reconciler::make_volume_use_client(node->read_only_socket());
  const auto refused = without->watch([](const reconciler::VolumeUses& /*uses*/) {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnimplemented);
  const auto nowhere = reconciler::make_volume_use_client(node->socket() + ".none");
  const auto away = nowhere->watch([](const reconciler::VolumeUses& /*uses*/) {});
  REQUIRE_FALSE(away);
  CHECK(away.error().reason == reconciler::own_reason::kLvmdUnreachable);
}

TEST_CASE("capacity is reported at once and after each change, until a stop [R-CAP-1]", "[rpc]") {
  const auto node = start_node();
  const auto service = reconciler::make_lvmd_client(node->socket());
  std::mutex mutex;
  std::vector<reconciler::Capacity> seen;
  Status ended;
  std::jthread watching{[&] {
    ended = service->watch([&](const reconciler::Capacity& capacity) {
      const std::lock_guard lock{mutex};
      seen.push_back(capacity);
    });
  }};
  const auto newest = [&]() -> std::optional<reconciler::Capacity> {
    const std::lock_guard lock{mutex};
    if (seen.empty()) return std::nullopt;
    return seen.back();
  };
  REQUIRE(eventually([&] { return newest().has_value(); }));
  const reconciler::Capacity before = *newest();
  CHECK(before.classes.size() == 3);
  CHECK(before.classes.at("thick") == before.default_class);
  REQUIRE(service->create({.name = "one", .device_class = "thick"}, "", {kExtent}, "", ""));
  CHECK(eventually([&] { return newest()->default_class == before.default_class - kExtent; }));
  service->cancel();
  watching.join();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == Code::kCancelled);
}

TEST_CASE("an unreachable lvmd is distinguished from a refusal [R-FAIL-9]", "[rpc]") {
  const auto node = start_node();
  const auto service = reconciler::make_lvmd_client(node->socket());
  const auto refused = service->find({.name = "one", .device_class = "absent"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
  CHECK(refused.error().reason == reason::kVolumeGroupUnavailable);
  const auto unreachable = reconciler::make_lvmd_client("/nonexistent/lvmd.sock");
  const auto away = unreachable->find({.name = "one", .device_class = "thick"});
  REQUIRE_FALSE(away);
  CHECK(away.error().code == Code::kUnavailable);
  CHECK(away.error().reason == reconciler::own_reason::kLvmdUnreachable);
  CHECK(away.error().message.contains("/nonexistent/lvmd.sock"));
}
