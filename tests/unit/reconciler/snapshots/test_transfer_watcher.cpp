// The end of a transfer wakes its object.
#include <catch2/catch.hpp>
#include <future>

#include "reconciler/snapshots/transfer_watcher.hpp"
#include "tests/unit/reconciler/snapshots/fake_transfers.hpp"

using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("the end of a transfer wakes its object at once [R-ONLINE-7]", "[reconciler][online]") {
  FakeTransfers transfers;
  transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
  std::promise<Key> ended;
  TransferWatcher watcher{transfers, [&](const Key& key) { ended.set_value(key); }};
  const Key key{.name = "snapshot-1"};
  watcher.follow(key, {Operation::kBackup, "uid-s"});
  watcher.follow(key, {Operation::kBackup, "uid-s"});  // One stream: a second one would throw.
  transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  CHECK(ended.get_future().get() == key);
  transfers.stop();
}

TEST_CASE("a stopped watcher leaves no stream behind", "[reconciler][online]") {
  FakeTransfers transfers;
  transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
  bool was_told = false;
  TransferWatcher watcher{transfers, [&](const Key&) { was_told = true; }};
  watcher.follow({.name = "snapshot-1"}, {Operation::kBackup, "uid-s"});
  transfers.stop();
  watcher.stop();
  CHECK_FALSE(was_told);
}
