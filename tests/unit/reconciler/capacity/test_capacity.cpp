#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "reconciler/capacity/capacity_reporter.hpp"
#include "reconciler/kube/node_capacity.hpp"
#include "tests/unit/reconciler/fake_store.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::kube;
using namespace lvmd::reconciler::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto kPublishLimit = 10s;

// Waits for the store to have `count` capacities, and answers them.
std::vector<Capacity> wait_for(FakeStore& store, std::size_t count) {
  const auto deadline = std::chrono::steady_clock::now() + kPublishLimit;
  while (true) {
    {
      const std::lock_guard lock{store.publish_mutex};
      if (store.published.size() >= count) return store.published;
    }
    REQUIRE(std::chrono::steady_clock::now() < deadline);
    std::this_thread::sleep_for(1ms);
  }
}

}  // namespace

TEST_CASE("capacity is in the annotations that TopoLVM's schedulers read [R-CAP-1]",
          "[reconciler][kube]") {
  CHECK(capacity_annotations({.default_class = 5, .classes = {{"ssd", 5}, {"thin", 7}}}) ==
        StringMap{{"capacity.topolvm.io/00default", "5"},
                  {"capacity.topolvm.io/ssd", "5"},
                  {"capacity.topolvm.io/thin", "7"},
                  {"capacity.topolvm.cybozu.com/00default", "5"},
                  {"capacity.topolvm.cybozu.com/ssd", "5"},
                  {"capacity.topolvm.cybozu.com/thin", "7"}});
  CHECK(capacity_annotations({}) == StringMap{{"capacity.topolvm.io/00default", "0"},
                                              {"capacity.topolvm.cybozu.com/00default", "0"}});
  CHECK(node_path("n/1") == "/api/v1/nodes/n%2F1");
}

TEST_CASE("an unusable class loses its annotation, other annotations stay [R-CAP-2]",
          "[reconciler][kube]") {
  const auto present = parse_capacity(R"({"metadata": {"annotations": {
    "capacity.topolvm.io/old": "1", "capacity.topolvm.io/ssd": "2", "example.com/x": "3",
    "capacity.topolvm.cybozu.com/old": "1"}}})");
  REQUIRE(present.has_value());
  CHECK(present->size() == 3);
  CHECK(json::parse(capacity_patch(*present, {{"capacity.topolvm.io/ssd", "4"}})) ==
        json::parse(R"({"metadata": {"annotations": {
          "capacity.topolvm.io/old": null, "capacity.topolvm.cybozu.com/old": null,
          "capacity.topolvm.io/ssd": "4"}}})"));
  CHECK(parse_capacity(R"({"metadata": {}})") == StringMap{});
  CHECK_FALSE(parse_capacity("[]"));
  CHECK_FALSE(parse_capacity("no json"));
}

TEST_CASE("several changes in a short time are one write of the newest capacity [R-CAP-3]",
          "[reconciler][run]") {
  FakeStore store;
  FakeService service;
  for (std::uint64_t bytes = 1; bytes <= 1000; ++bytes)
    service.capacities.push_back({.default_class = bytes});
  CapacityReporter reporter{store, service, Mode::kAct, 200ms};
  // The first may be any, depending on who was faster.
  const auto deadline = std::chrono::steady_clock::now() + kPublishLimit;
  while (wait_for(store, 1).back().default_class != 1000)
    REQUIRE(std::chrono::steady_clock::now() < deadline);
  CHECK(wait_for(store, 1).size() <= 3);
  service.cancel();
  reporter.stop();
}

TEST_CASE("a capacity that could not be published is published again [R-CAP-4]",
          "[reconciler][run]") {
  FakeStore store;
  store.refusals = 1;
  FakeService service;
  service.capacities = {{.default_class = 7}};
  CapacityReporter reporter{store, service, Mode::kAct, 1ms};
  CHECK(wait_for(store, 1).front().default_class == 7);
  service.cancel();
  reporter.stop();
}

TEST_CASE("a published capacity is compared with the store again [R-CAP-5]", "[reconciler][run]") {
  FakeStore store;
  FakeService service;
  service.capacities = {{.default_class = 7}};
  CapacityReporter reporter{store, service, Mode::kAct, 1ms, 1ms};
  for (const Capacity& told : wait_for(store, 3)) CHECK(told.default_class == 7);
  service.cancel();
  reporter.stop();
}

TEST_CASE("a capacity that cannot be published does not delay a stop [R-CLI-22]",
          "[reconciler][run]") {
  FakeStore store;
  store.refusals = 1'000'000;
  FakeService service;
  service.capacities = {{.default_class = 7}};
  CapacityReporter reporter{store, service, Mode::kAct, 1h};
  const auto refused = [&] {
    const std::lock_guard lock{store.publish_mutex};
    return store.refused > 0;
  };
  while (!refused()) std::this_thread::sleep_for(1ms);
  service.cancel();
  reporter.stop();
  CHECK(store.published.empty());
}
