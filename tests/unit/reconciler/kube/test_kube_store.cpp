#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "reconciler/kube/kube_store.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::kube;

TEST_CASE("readiness can be read until the store is destroyed [R-SERVE-3]", "[reconciler][kube]") {
  for (int round = 0; round < 200; ++round) {
    // Nobody listens there.
    const auto store =
        open_kube_store({.server = "https://127.0.0.1:1", .token = "none", .node_name = "n1"});
    REQUIRE(store.has_value());
    std::atomic<bool> is_over = false;
    std::atomic<int> ready = 0;
    const std::jthread asking{[&] {
      while (!is_over)
        if ((*store)->is_ready() || (*store)->claims()) ++ready;
    }};
    REQUIRE((*store)->start([](const Key&) {}));
    (*store)->stop();
    CHECK_FALSE((*store)->is_ready());
    is_over = true;
    CHECK(ready == 0);
  }
}
