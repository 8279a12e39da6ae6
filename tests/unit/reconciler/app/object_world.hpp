// One object, its store and lvmd in memory, for the cases of a reconciliation.
#pragma once

#include <catch2/catch.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "reconciler/app/reconciliation.hpp"
#include "tests/unit/reconciler/fake_store.hpp"

namespace lvmd::reconciler::test {

using Calls = std::vector<std::string>;

struct ObjectWorld {
  FakeStore store;
  FakeService service;
  // Empty: the CSI status stays as it is.
  UseTable uses;
  std::stop_source stop;

  ObjectWorld() {
    store.object.key.name = "data";
    store.object.uid = "uid-1";
    store.object.spec.size = "1Gi";
    store.object.spec.device_class = "ssd";
    store.object.spec.lvcreate_option_class = "fast";
  }

  ReconcileResult reconcile(unsigned failures = 0, bool renewed = false) {
    store.calls.clear();
    service.calls.clear();
    return Reconciliation{store,
                          service,
                          {.seen = store.object, .failures = failures, .renewed = renewed},
                          stop.get_token(),
                          Mode::kAct,
                          {},
                          &uses}
        .run();
  }

  [[nodiscard]] Condition condition(std::string_view type) const {
    const Condition* const found = find_condition(store.object.status.conditions, type);
    return found == nullptr ? Condition{} : *found;
  }

  void finish() {
    REQUIRE(reconcile() == ReconcileResult::kSettled);
    REQUIRE(reconcile() == ReconcileResult::kSettled);
  }
};

}  // namespace lvmd::reconciler::test
