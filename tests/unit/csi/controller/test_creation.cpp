#include <catch2/catch.hpp>
#include <string>

#include "csi/controller/creation.hpp"
#include "tests/unit/csi/controller/fake_objects.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;
using reconciler::LogicalVolume;
using Requests = std::vector<std::string>;

namespace {

VolumeRequest request_for(const std::string& name = "pvc-1") {
  return {.key = {.name = name}, .range = {.required = kGi}};
}

// Fails with the code, like lvmd on that node.
FakeObjects::Reconciler refuse(Code code) {
  return [code](LogicalVolume& object) {
    if (object.removal_wanted) return false;
    object.status.code = static_cast<std::uint32_t>(code);
    object.status.message = "refused";
    object.status.observed_generation = object.generation;
    return true;
  };
}

std::string code_of(const Result<LogicalVolume>& result) {
  return result ? "OK" : std::string{to_string(result.error().code)};
}

}  // namespace

TEST_CASE("a volume is created with one request, and waited for by the watch [C-CREATE-1]",
          "[csi][controller]") {
  FakeObjects store;
  const auto created = create_volume(store, request_for(), long_limit());
  REQUIRE(created);
  CHECK(created->status.volume_id == "uid-1");
  CHECK(created->spec.node_name == "n1");
  CHECK(store.requests == Requests{"create pvc-1"});
}

TEST_CASE("a repeated request takes the object that exists [C-CREATE-1]", "[csi][controller]") {
  FakeObjects store;
  REQUIRE(create_volume(store, request_for(), long_limit()));
  store.requests.clear();
  CHECK(create_volume(store, request_for(), long_limit())->status.volume_id == "uid-1");
  CHECK(store.requests.empty());
  // The other replica created it, and the watch is behind.
  store.watch_is_late = true;
  store.add(sample_volume("pvc-2"));
  VolumeRequest second = request_for("pvc-2");
  CHECK(create_volume(store, second, long_limit())->status.volume_id == "uid-of-pvc-2");
  CHECK(store.requests == Requests{"create pvc-2", "read pvc-2"});
  second.range = {.required = 2 * kGi};
  CHECK(code_of(create_volume(store, second, long_limit())) == "ALREADY_EXISTS");
}

TEST_CASE("the space of an existing volume is not missing for its own request [C-CREATE-2]",
          "[csi][controller]") {
  FakeObjects store;
  store.watch_is_late = true;
  store.add(sample_volume("pvc-1"));
  store.known_nodes = {{.name = "n1", .capacities = {{"00default", 0}}}};
  CHECK(create_volume(store, request_for(), long_limit())->status.volume_id == "uid-of-pvc-1");
  CHECK(code_of(create_volume(store, request_for("pvc-2"), long_limit())) == "RESOURCE_EXHAUSTED");
  CHECK(store.requests == Requests{"read pvc-1", "read pvc-2"});
}

TEST_CASE("an object that the node refuses is removed again [C-CREATE-3]", "[csi][controller]") {
  FakeObjects store;
  store.reconciler = refuse(Code::kResourceExhausted);
  const auto refused = create_volume(store, request_for(), long_limit());
  CHECK(code_of(refused) == "RESOURCE_EXHAUSTED");
  CHECK(refused.error().message.contains("refused"));
  CHECK_FALSE(store.find("pvc-1"));
  CHECK(store.requests == Requests{"create pvc-1", "remove pvc-1"});
}

TEST_CASE("a volume that appears at the last moment is kept [C-CREATE-3]", "[csi][controller]") {
  FakeObjects store;
  // The node tries again and succeeds before the object is removed.
  store.failures.insert({"remove", make_error(Code::kAborted, "it has changed")});
  int reads = 0;
  store.reconciler = [&](LogicalVolume& object) {
    ++reads;
    return refuse(Code::kResourceExhausted)(object);
  };
  const CallLimit limit{.deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1},
                        .is_cancelled = [&] {
                          if (reads == 1 && store.find("pvc-1"))
                            store.change("pvc-1", [](LogicalVolume& object) {
                              FakeObjects::obey(object);
                              object.status.code = 0;
                            });
                          return false;
                        }};
  CHECK(code_of(create_volume(store, request_for(), limit)) == "OK");
  CHECK(store.find("pvc-1"));
}

TEST_CASE("what an earlier call left behind is replaced [C-CREATE-4]", "[csi][controller]") {
  FakeObjects store;
  LogicalVolume left = sample_volume("pvc-1");
  left.status = {};
  left.finalizers = {"topolvm.io/logicalvolume"};
  VolumeRequest request = request_for();
  SECTION("it has failed") {
    left.status.code = static_cast<std::uint32_t>(Code::kResourceExhausted);
    left.spec.node_name = "n2";
    request.permitted = {"n1"};
  }
  SECTION("it is on another node, and has no volume") {
    left.spec.node_name = "n2";
    request.permitted = {"n1"};
  }
  SECTION("it is being removed") { left.removal_wanted = true; }
  store.add(left);
  if (left.removal_wanted) {
    // Only the waiting call sees that it goes.
    const CallLimit limit{.deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1},
                          .is_cancelled = [&] {
                            if (const auto found = store.find("pvc-1");
                                found && found->removal_wanted)
                              store.drop("pvc-1");
                            return false;
                          }};
    CHECK(create_volume(store, request, limit)->status.volume_id == "uid-1");
  } else {
    CHECK(create_volume(store, request, long_limit())->status.volume_id == "uid-1");
  }
  CHECK(store.find("pvc-1")->spec.node_name == "n1");
}

TEST_CASE("a volume on a node that is not permitted stays [C-SAME-1]", "[csi][controller]") {
  FakeObjects store;
  store.add(sample_volume("pvc-1"));
  VolumeRequest request = request_for();
  request.permitted = {"n2"};
  CHECK(code_of(create_volume(store, request, long_limit())) == "ALREADY_EXISTS");
  CHECK(store.find("pvc-1"));
}

TEST_CASE("a new volume above the limit is removed again [C-SIZE-4]", "[csi][controller]") {
  FakeObjects store;
  store.reconciler = [](LogicalVolume& object) {
    const bool stays = FakeObjects::obey(object);
    object.status.current_size = Bytes{4 << 20};
    return stays;
  };
  VolumeRequest request = request_for();
  request.range = {.required = 4096, .limit = 8192};
  CHECK(code_of(create_volume(store, request, long_limit())) == "OUT_OF_RANGE");
  CHECK_FALSE(store.find("pvc-1"));
  request.range.limit = 4 << 20;
  CHECK(code_of(create_volume(store, request, long_limit())) == "OK");
}

TEST_CASE("a clone is on the node of its source [C-PLACE-4]", "[csi][controller]") {
  FakeObjects store;
  store.known_nodes.clear();
  VolumeRequest request = request_for("clone");
  request.source = sample_snapshot();
  request.permitted = {"n2", "n1"};
  CHECK(create_volume(store, request, long_limit())->spec.node_name == "n1");
  request.key.name = "other";
  request.permitted = {"n2"};
  CHECK(code_of(create_volume(store, request, long_limit())) == "RESOURCE_EXHAUSTED");
}

TEST_CASE("a call that reaches its deadline leaves the object to the next call [C-WAIT-2]",
          "[csi][controller]") {
  FakeObjects store;
  store.reconciler = FakeObjects::wait;
  int calls = 0;
  const CallLimit limit{.deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1},
                        .is_cancelled = [&] { return ++calls > 2; }};
  CHECK(code_of(create_volume(store, request_for(), limit)) == "CANCELLED");
  CHECK(store.find("pvc-1"));
  CHECK(code_of(create_volume(store, request_for(), no_time())) == "DEADLINE_EXCEEDED");
  store.change("pvc-1", [](LogicalVolume& object) { FakeObjects::obey(object); });
  CHECK(code_of(create_volume(store, request_for(), long_limit())) == "OK");
}

TEST_CASE("a stop ends the calls that wait [C-WAIT-5]", "[csi][controller]") {
  FakeObjects store;
  store.stop();
  CHECK(code_of(create_volume(store, request_for(), long_limit())) == "UNAVAILABLE");
}

TEST_CASE("an error of the API server is the error of the call [C-WAIT-6]", "[csi][controller]") {
  FakeObjects store;
  store.failures.insert({"create", make_error(Code::kUnavailable, "no answer")});
  CHECK(code_of(create_volume(store, request_for(), long_limit())) == "UNAVAILABLE");
  CHECK(code_of(create_volume(store, request_for(), long_limit())) == "OK");
}

TEST_CASE("a snapshot is created on the node of its volume, once [C-SNAP-1]", "[csi][controller]") {
  FakeObjects store;
  SnapshotRequest request{.key = {.name = "snapshot-1"}, .source = sample_volume()};
  const auto created = create_snapshot(store, request, long_limit());
  REQUIRE(created);
  CHECK(created->spec.access_type == "ro");
  CHECK(create_snapshot(store, request, long_limit())->uid == created->uid);
  request.source = sample_volume("pvc-2");
  CHECK(code_of(create_snapshot(store, request, long_limit())) == "ALREADY_EXISTS");
}
