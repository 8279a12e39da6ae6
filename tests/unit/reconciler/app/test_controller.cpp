#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "reconciler/app/object_tracker.hpp"
#include "reconciler/app/options.hpp"
#include "reconciler/app/work_queue.hpp"
#include "reconciler/model/backoff.hpp"

using namespace lvmd::reconciler;
using std::chrono::milliseconds;

TEST_CASE("retries double from half a second to a minute [R-FAIL-3]", "[reconciler][run]") {
  const auto [failures, wait] = GENERATE(table<unsigned, int>(
      {{1, 500}, {2, 1000}, {3, 2000}, {7, 32000}, {8, 60000}, {9, 60000}, {4000000000U, 60000}}));
  INFO(failures);
  CHECK(retry_after(failures, 0.5) == milliseconds{wait});
}

TEST_CASE("a refused creation is retried less often [R-FAIL-10]", "[reconciler][run]") {
  CHECK(retry_after(1, 0.5, kRefusalPace) == std::chrono::seconds{10});
  CHECK(retry_after(3, 0.5, kRefusalPace) == std::chrono::seconds{40});
  CHECK(retry_after(6, 0.5, kRefusalPace) == std::chrono::seconds{300});
  CHECK(retry_after(100, 0.5, kRefusalPace) == std::chrono::seconds{300});
}

TEST_CASE("an unchanged version has the status that was written [R-KUBE-13]", "[reconciler][run]") {
  ObjectTracker book;
  LogicalVolume shown;
  shown.key.name = "data";
  shown.resource_version = "2";
  LogicalVolume written = shown;
  written.status.observed_generation = 1;
  book.note({.seen = written});
  CHECK(book.of(shown).seen == written);
}

TEST_CASE("each retry has a jitter of up to a fifth [R-FAIL-3]", "[reconciler][run]") {
  CHECK(retry_after(1, 0.0) == milliseconds{400});
  CHECK(retry_after(1, 0.999999) >= milliseconds{599});
  for (int i = 0; i < 1000; ++i) {
    const double jitter = random_jitter();
    CHECK(jitter >= 0.0);
    CHECK(jitter < 1.0);
  }
}

TEST_CASE("a key is held by one worker at a time [R-RUN-2]", "[reconciler][run]") {
  WorkQueue queue;
  const Key a{.name = "a"};
  const Key b{.name = "b"};
  const auto now = WorkQueue::Clock::now();
  queue.add(a, now - milliseconds{2});
  REQUIRE(queue.take() == a);
  queue.add(a, now - milliseconds{2});
  queue.add(b, now - milliseconds{1});
  CHECK(queue.take() == b);
  queue.done(a);
  CHECK(queue.take() == a);
}

TEST_CASE("the earlier time of a key counts", "[reconciler][run]") {
  WorkQueue queue;
  const Key a{.name = "a"};
  const auto now = WorkQueue::Clock::now();
  queue.add(a, now + std::chrono::hours{1});
  queue.add(a, now);
  queue.add(a, now + std::chrono::hours{1});
  CHECK(queue.take() == a);
}

TEST_CASE("a key that is due is handed out while the other workers are busy", "[reconciler][run]") {
  WorkQueue queue;
  const Key now{.name = "now"};
  const Key later{.name = "later"};
  const auto take = [&queue] { return queue.take(); };
  std::vector<std::future<std::optional<Key>>> workers;
  for (int worker = 0; worker < 2; ++worker)
    workers.push_back(std::async(std::launch::async, take));
  std::this_thread::sleep_for(milliseconds{20});
  // One worker waits for this key. It gets the next one, and the other has to wait in its place.
  queue.add(later, WorkQueue::Clock::now() + milliseconds{200});
  std::this_thread::sleep_for(milliseconds{20});
  queue.add(now, WorkQueue::Clock::now());
  std::set<Key> taken;
  for (auto& worker : workers) {
    if (worker.wait_for(std::chrono::seconds{20}) != std::future_status::ready) queue.close();
    if (const auto key = worker.get()) taken.insert(*key);
  }
  CHECK(taken == std::set{now, later});
}

TEST_CASE("each of many keys is handed out once for each time that it is due",
          "[reconciler][run]") {
  constexpr int kKeys = 2000;
  WorkQueue queue;
  std::mutex mutex;
  std::map<Key, int> taken;
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < 8; ++worker)
    workers.emplace_back([&] {
      while (const auto key = queue.take()) {
        {
          const std::lock_guard lock{mutex};
          // The first time, it becomes due again while a worker has it.
          if (++taken[*key] == 1) queue.add(*key, WorkQueue::Clock::now() + milliseconds{1});
        }
        queue.done(*key);
      }
    });
  const auto begin = WorkQueue::Clock::now();
  for (int key = 0; key < kKeys; ++key)
    queue.add({.name = fmt::format("key-{}", key)}, begin + milliseconds{key % 50});
  const auto all_taken = [&] {
    const std::lock_guard lock{mutex};
    return taken.size() == kKeys &&
           std::ranges::all_of(taken, [](const auto& entry) { return entry.second == 2; });
  };
  for (int tries = 0; tries < 2000 && !all_taken(); ++tries)
    std::this_thread::sleep_for(milliseconds{10});
  CHECK(all_taken());
  queue.close();
}

TEST_CASE("closing a queue ends every waiting take()", "[reconciler][run]") {
  WorkQueue queue;
  queue.add({.name = "later"}, WorkQueue::Clock::now() + std::chrono::hours{1});
  std::optional<Key> taken = Key{};
  std::jthread waiting{[&] { taken = queue.take(); }};
  queue.close();
  waiting.join();
  CHECK_FALSE(taken.has_value());
  CHECK_FALSE(queue.take().has_value());
}

TEST_CASE("a changed request ends the backoff, a changed status does not [R-FAIL-5]",
          "[reconciler][run]") {
  ObjectTracker book;
  LogicalVolume volume;
  volume.key.name = "data";
  volume.resource_version = "1";
  CHECK(book.of(volume).failures == 0);
  book.note({.seen = volume, .failures = 3});
  volume.resource_version = "2";
  volume.status.message = "written by us";
  CHECK(book.of(volume).failures == 3);
  LogicalVolume changed = volume;
  changed.resource_version = "3";
  SECTION("size") { changed.spec.size = "2Gi"; }
  SECTION("annotation") { changed.annotations["topolvm.io/resize-requested-at"] = "now"; }
  SECTION("removal") { changed.removal_wanted = true; }
  SECTION("another object of that name") { changed.uid = "other"; }
  CHECK(book.of(changed).failures == 0);
  CHECK(book.of(changed).seen == changed);
  CHECK(book.of(changed).renewed);
  CHECK_FALSE(book.of(volume).renewed);
  book.forget(volume.key);
  CHECK(book.of(volume).failures == 0);
}

TEST_CASE("a version that was overwritten is ignored", "[reconciler][run]") {
  ObjectTracker book;
  LogicalVolume before;
  before.key.name = "data";
  before.resource_version = "1";
  LogicalVolume after = before;
  after.resource_version = "2";
  after.status.volume_id = "uid";
  book.note({.seen = after, .superseded = {"1"}, .failures = 2});
  CHECK(book.of(before).seen == after);
  CHECK(book.of(before).failures == 2);
  LogicalVolume newer = after;
  newer.resource_version = "3";
  CHECK(book.of(newer).seen == newer);
  CHECK(book.of(newer).superseded.empty());
}

TEST_CASE("the objects that wait for a source are known while they wait [R-SRC-5]",
          "[reconciler][run]") {
  ObjectTracker book;
  LogicalVolume clone;
  clone.key = {.group = Group::kLegacy, .name = "clone"};
  clone.spec.source = "origin";
  const Key source{.group = Group::kLegacy, .name = "origin"};
  book.note({.seen = clone});
  CHECK(book.waiting_for(source).empty());
  book.note({.seen = clone, .failures = 1});
  CHECK(book.waiting_for(source) == std::vector<Key>{clone.key});
  CHECK(book.waiting_for({.name = "origin"}).empty());
  clone.status.volume_id = "uid";
  book.note({.seen = clone, .failures = 1});
  CHECK(book.waiting_for(source).empty());
}

TEST_CASE("an object that is gone, or has another source, waits no longer [R-SRC-5]",
          "[reconciler][run]") {
  ObjectTracker book;
  const auto clone = [](const std::string& name, const std::string& source) {
    LogicalVolume object;
    object.key.name = name;
    object.spec.source = source;
    return object;
  };
  const Key origin{.name = "origin"};
  for (const char* name : {"a", "b", "c", "d"})
    book.note({.seen = clone(name, "origin"), .failures = 1});
  book.note_gone(clone("a", "origin"));
  book.forget({.name = "b"});
  book.note({.seen = clone("c", "other"), .failures = 2});
  CHECK(book.waiting_for(origin) == std::vector<Key>{{.name = "d"}});
  CHECK(book.waiting_for({.name = "other"}) == std::vector<Key>{{.name = "c"}});
  book.note({.seen = clone("d", "origin")});
  CHECK(book.waiting_for(origin).empty());
}

TEST_CASE("durations have a unit and are not negative [R-CLI-6]", "[reconciler][run]") {
  CHECK(parse_duration("60s") == milliseconds{60000});
  CHECK(parse_duration("2s") == milliseconds{2000});
  CHECK(parse_duration("500ms") == milliseconds{500});
  CHECK(parse_duration("1.5m") == milliseconds{90000});
  CHECK(parse_duration("1h") == milliseconds{3600000});
  CHECK(parse_duration("0s") == milliseconds{0});
  const std::string wrong = GENERATE(as<std::string>{}, "", "60", "-1s", "s", "1d", "1 s", "1s ",
                                     "nan s", "infs", "1e99h");
  INFO(wrong);
  const auto parsed = parse_duration(wrong);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().message.contains("\"" + wrong + "\""));
}

TEST_CASE("a deleted object that the store still shows is ignored [R-RUN-6]", "[reconciler][run]") {
  ObjectTracker book;
  LogicalVolume object;
  object.key.name = "data";
  object.uid = "uid-1";
  book.note({.seen = object});
  CHECK_FALSE(book.is_gone(object));
  book.note_gone(object);
  CHECK(book.is_gone(object));
  LogicalVolume next = object;
  next.uid = "uid-2";
  CHECK_FALSE(book.is_gone(next));
  book.forget(object.key);
  CHECK_FALSE(book.is_gone(object));
  LogicalVolume nameless = object;
  nameless.uid.clear();
  book.note_gone(nameless);
  CHECK_FALSE(book.is_gone(nameless));
}
