#include <catch2/catch.hpp>
#include <string>

#include "csi/controller/changes.hpp"
#include "tests/unit/csi/controller/fake_objects.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;
using reconciler::LogicalVolume;
using Requests = std::vector<std::string>;

namespace {

LogicalVolume with_finalizer(LogicalVolume object) {
  object.finalizers = {"topolvm.io/logicalvolume"};
  return object;
}

template <typename T>
std::string code_of(const Result<T>& result) {
  return result ? "OK" : std::string{to_string(result.error().code)};
}

// In use: the node refuses to remove it.
bool refuse_removal(LogicalVolume& object) {
  object.status.code = static_cast<std::uint32_t>(Code::kFailedPrecondition);
  object.status.message = "the volume is in use";
  object.status.observed_generation = object.generation;
  return true;
}

}  // namespace

TEST_CASE("an object is found by its handle, also if the watch is behind [C-OBJ-3]",
          "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  store.add(sample_snapshot());
  CHECK(find_volume(store, "uid-of-pvc-1")->key.name == "pvc-1");
  CHECK(find_snapshot(store, "uid-of-snapshot-1")->key.name == "snapshot-1");
  CHECK(store.requests.empty());
  store.watch_is_late = true;
  store.add(sample_volume("pvc-2"));
  CHECK(find_volume(store, "uid-of-pvc-2")->key.name == "pvc-2");
  CHECK(store.requests == Requests{"list"});
}

TEST_CASE("a handle that nothing has is NOT_FOUND only if all objects are known [C-OBJ-3]",
          "[csi][controller]") {
  FakeObjects store;
  CHECK(code_of(find_object(store, "other", "volume_id")) == "NOT_FOUND");
  store.failures.insert({"list", make_error(Code::kUnavailable, "no answer")});
  CHECK(code_of(find_object(store, "other", "volume_id")) == "UNAVAILABLE");
  CHECK(code_of(find_object(store, "", "volume_id")) == "INVALID_ARGUMENT");
  store.add(sample_volume());
  LogicalVolume twin = sample_volume("twin");
  twin.status.volume_id = "uid-of-pvc-1";
  store.add(twin);
  CHECK(code_of(find_volume(store, "uid-of-pvc-1")) == "FAILED_PRECONDITION");
}

TEST_CASE("a volume is not a snapshot, nor the other way round [C-OBJ-6]", "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  store.add(sample_snapshot());
  CHECK(code_of(find_snapshot(store, "uid-of-pvc-1")) == "NOT_FOUND");
  CHECK(code_of(find_volume(store, "uid-of-snapshot-1")) == "NOT_FOUND");
  LogicalVolume clone = sample_volume("clone");
  clone.spec.source = "snapshot-1";
  clone.spec.access_type = "rw";
  store.add(clone);
  CHECK(code_of(find_volume(store, "uid-of-clone")) == "OK");
}

TEST_CASE("a volume grows by a change of spec.size [C-GROW-1]", "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  const auto grown = grow(store, *store.find("pvc-1"), Bytes{2 * kGi}, long_limit());
  REQUIRE(grown);
  CHECK(size_of(*grown).value == 2 * kGi);
  CHECK(grown->spec.size == "2Gi");
  CHECK(grown->annotations.contains("topolvm.io/resize-requested-at"));
}

TEST_CASE("a volume that is large enough stays as it is [C-GROW-1]", "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  CHECK(code_of(grow(store, *store.find("pvc-1"), Bytes{kGi}, long_limit())) == "OK");
  CHECK(store.requests.empty());
}

TEST_CASE("a concurrent change of the object does not fail the growth [C-GROW-2]",
          "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  const LogicalVolume stale = *store.find("pvc-1");
  store.change("pvc-1", [](LogicalVolume& object) { object.labels["a"] = "b"; });
  CHECK(code_of(grow(store, stale, Bytes{2 * kGi}, long_limit())) == "OK");
  CHECK(store.find("pvc-1")->labels.contains("a"));
  CHECK(store.requests == Requests{"set_size pvc-1", "read pvc-1", "set_size pvc-1"});
}

TEST_CASE("growth without space is an error, and a repeated call tries again [C-GROW-3]",
          "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  int attempts = 0;
  store.reconciler = [&](LogicalVolume& object) {
    object.status.code = static_cast<std::uint32_t>(Code::kResourceExhausted);
    object.status.message = fmt::format("no space, attempt {}", ++attempts);
    object.status.observed_generation = object.generation;
    return true;
  };
  const auto first = grow(store, *store.find("pvc-1"), Bytes{2 * kGi}, long_limit());
  CHECK(code_of(first) == "OUT_OF_RANGE");
  const auto time_of_request = [&store] {
    return store.find("pvc-1")->annotations.at("topolvm.io/resize-requested-at");
  };
  const std::string first_time = time_of_request();
  const auto second = grow(store, *store.find("pvc-1"), Bytes{2 * kGi}, long_limit());
  CHECK(second.error().message.contains("attempt 2"));
  CHECK(time_of_request() != first_time);
  store.reconciler = FakeObjects::wait;
  CHECK(code_of(grow(store, *store.find("pvc-1"), Bytes{2 * kGi}, no_time())) ==
        "DEADLINE_EXCEEDED");
}

TEST_CASE("the same failure counts again once the first one is cleared [C-WAIT-4]",
          "[csi][controller]") {
  const auto refuse = [](LogicalVolume& object) {
    object.status.code = static_cast<std::uint32_t>(Code::kResourceExhausted);
    object.status.message = "no space";
    object.status.observed_generation = object.generation;
    return true;
  };
  FakeObjects store;
  LogicalVolume failed = sample_volume();
  failed.spec.size = "2Gi";
  refuse(failed);
  store.add(failed);
  store.reconciler = [](LogicalVolume& object) {
    object.status.code = 0;
    object.status.message.clear();
    return true;
  };
  store.afterwards = {refuse};
  const CallLimit limit{.deadline = std::chrono::steady_clock::now() + std::chrono::seconds{5}};
  const auto grown = grow(store, *store.find("pvc-1"), Bytes{2 * kGi}, limit);
  REQUIRE_FALSE(grown);
  CHECK(grown.error().message.contains("no space"));
}

TEST_CASE("a volume is deleted once its object is gone [C-DELETE-1]", "[csi][controller]") {
  FakeObjects store;
  store.add(with_finalizer(sample_volume()));
  CHECK(remove(store, *store.find("pvc-1"), long_limit()));
  CHECK_FALSE(store.find("pvc-1"));
  store.add(sample_volume());
  const LogicalVolume object = *store.find("pvc-1");
  CHECK(remove(store, object, long_limit()));
  CHECK(remove(store, object, long_limit()));
}

TEST_CASE("a new object of the same name is not deleted [C-DELETE-1]", "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume());
  LogicalVolume older = *store.find("pvc-1");
  older.uid = "older";
  CHECK(remove(store, older, long_limit()));
  CHECK(store.find("pvc-1"));
}

TEST_CASE("a volume in use is FAILED_PRECONDITION [C-DELETE-2]", "[csi][controller]") {
  FakeObjects store;
  store.add(with_finalizer(sample_volume()));
  store.reconciler = refuse_removal;
  CHECK(code_of(remove(store, *store.find("pvc-1"), long_limit())) == "FAILED_PRECONDITION");
  // The failure is of the first call: the second one waits.
  CHECK(code_of(remove(store, *store.find("pvc-1"), no_time())) == "DEADLINE_EXCEEDED");
  store.drop("pvc-1");
}
