#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "reconciler/csi/use_watcher.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace std::chrono_literals;

namespace {

constexpr auto kLimit = 20s;

// Each watch() reports the next state of the queue and then ends; without one, it waits for stop().
class FakeUses final : public VolumeUseService {
 public:
  explicit FakeUses(std::deque<VolumeUses> states) : states_(std::move(states)) {}

  Status watch(const Callback& seen) override {
    std::unique_lock lock{mutex_};
    if (!states_.empty()) {
      const VolumeUses state = states_.front();
      states_.pop_front();
      lock.unlock();
      seen(state);
      return fail(Code::kUnavailable, "lvmd was restarted");
    }
    stopped_.wait(lock, [this] { return is_stopped_; });
    return fail(Code::kCancelled, "stopping");
  }
  void stop() override {
    const std::lock_guard lock{mutex_};
    is_stopped_ = true;
    stopped_.notify_all();
  }

 private:
  std::deque<VolumeUses> states_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopped_ = false;
};

}  // namespace

TEST_CASE("the watcher connects again and reports what has changed meanwhile [R-CSI-2]",
          "[reconciler][csi]") {
  FakeUses service{{{.csi_driver = "topolvm.io", .volumes = {{"one", {.staged = true}}}},
                    {.csi_driver = "topolvm.io", .volumes = {{"two", {.staged = true}}}}}};
  UseTable table;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<UseTable::Changes> seen;
  UseWatcher watcher{service, table, [&](const UseTable::Changes& changes) {
                       const std::lock_guard lock{mutex};
                       seen.push_back(changes);
                       changed.notify_all();
                     }};
  {
    std::unique_lock lock{mutex};
    REQUIRE(changed.wait_for(lock, kLimit, [&] { return seen.size() == 2; }));
  }
  CHECK(seen[0] == UseTable::Changes{.are_all = true});
  CHECK(seen[1] == UseTable::Changes{.volumes = {"one", "two"}});
  CHECK(table.of("two")->volume.staged);
  service.stop();
  watcher.stop();
}

TEST_CASE("the use stays known while lvmd is away [R-CSI-2]", "[reconciler][csi]") {
  FakeUses service{{{.csi_driver = "topolvm.io", .volumes = {{"one", {.staged = true}}}}}};
  UseTable table;
  std::mutex mutex;
  std::condition_variable changed;
  bool is_seen = false;
  UseWatcher watcher{service, table, [&](const UseTable::Changes& /*changes*/) {
                       const std::lock_guard lock{mutex};
                       is_seen = true;
                       changed.notify_all();
                     }};
  {
    std::unique_lock lock{mutex};
    REQUIRE(changed.wait_for(lock, kLimit, [&] { return is_seen; }));
  }
  service.stop();
  watcher.stop();
  CHECK(table.of("one")->volume.staged);
}
