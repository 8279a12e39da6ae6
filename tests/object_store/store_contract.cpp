#include "tests/object_store/store_contract.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>

namespace lvmd::controller::test {
namespace {

using reconciler::Bytes;
using reconciler::LogicalVolume;

NewObject new_object(const std::string& name) {
  return {.key = {.name = name},
          .spec = {.name = name, .node_name = kContractNode, .size = "1Gi", .device_class = "ssd"},
          .annotations = {{"lvmd.io/source-volume", "handle"}}};
}

LogicalVolume create(ObjectStore& store, const std::string& name) {
  const auto created = store.create(new_object(name));
  if (!created) FAIL(describe(created.error()));
  return *created;
}

template <typename T>
std::string code_of(const Result<T>& result) {
  return result ? "OK" : std::string{to_string(result.error().code)};
}

// The next report for which the condition holds.
template <typename Condition>
bool sees(Subscription& reports, const Condition& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (const auto report = reports.next(until))
    if (condition(*report)) return true;
  return false;
}

}  // namespace

void check_creation(ObjectStore& store) {
  const std::string name = "contract-creation";
  const LogicalVolume created = create(store, name);
  CHECK(created.key.name == name);
  CHECK_FALSE(created.uid.empty());
  CHECK_FALSE(created.resource_version.empty());
  CHECK_FALSE(created.creation_timestamp.empty());
  CHECK(created.generation == 1);
  CHECK(created.spec == new_object(name).spec);
  CHECK(created.annotations.at("lvmd.io/source-volume") == "handle");
  CHECK(created.finalizers.empty());

  CHECK(code_of(store.create(new_object(name))) == "ALREADY_EXISTS");
  const auto read = store.read(name);
  REQUIRE(read);
  CHECK(read->uid == created.uid);
  CHECK(code_of(store.read("contract-none")) == "NOT_FOUND");
  const auto all = store.list();
  REQUIRE(all);
  CHECK(std::ranges::any_of(*all, [&](const auto& one) { return one.uid == created.uid; }));
  CHECK(code_of(store.remove(created, Removal::kAlways)) == "OK");
}

void check_growth(ObjectStore& store, const OtherWriters& others) {
  const std::string name = "contract-growth";
  const LogicalVolume created = create(store, name);
  const auto grown = store.set_size(created, Bytes{2LL << 30}, "2026-01-31T12:00:00Z");
  REQUIRE(grown);
  CHECK(grown->spec.size == "2Gi");
  CHECK(grown->generation == 2);
  CHECK(grown->annotations.at("topolvm.io/resize-requested-at") == "2026-01-31T12:00:00Z");
  CHECK(grown->annotations.at("lvmd.io/source-volume") == "handle");
  CHECK(grown->spec.node_name == kContractNode);
  CHECK(code_of(store.set_size(created, Bytes{3LL << 30}, "later")) == "ABORTED");
  // The same size again is a new request, but no new generation.
  const auto again = store.set_size(*grown, Bytes{2LL << 30}, "2026-01-31T13:00:00Z");
  REQUIRE(again);
  CHECK(again->generation == 2);
  CHECK(again->resource_version != grown->resource_version);
  // A status has no generation.
  others.set_handle(name, "handle");
  CHECK(store.read(name)->generation == 2);
  CHECK(store.read(name)->status.volume_id == "handle");
  CHECK(code_of(store.remove(created, Removal::kAlways)) == "OK");
  CHECK(code_of(store.set_size(*again, Bytes{4LL << 30}, "later")) == "NOT_FOUND");
}

void check_removal(ObjectStore& store, const OtherWriters& others) {
  const std::string name = "contract-removal";
  const LogicalVolume created = create(store, name);
  others.set_handle(name, "handle");
  CHECK(code_of(store.remove(created, Removal::kIfUnchanged)) == "ABORTED");
  LogicalVolume other = created;
  other.uid = "00000000-0000-4000-8000-000000000000";
  CHECK(code_of(store.remove(other, Removal::kAlways)) == "ABORTED");
  CHECK(store.read(name));
  const auto current = store.read(name);
  const auto gone = store.remove(*current, Removal::kIfUnchanged);
  REQUIRE(gone);
  CHECK_FALSE(*gone);
  CHECK(code_of(store.read(name)) == "NOT_FOUND");
  CHECK(code_of(store.remove(*current, Removal::kAlways)) == "NOT_FOUND");

  const LogicalVolume second = create(store, name);
  CHECK(second.uid != created.uid);
  others.hold(name);
  const auto held = store.remove(second, Removal::kAlways);
  REQUIRE(held);
  REQUIRE(*held);
  CHECK((*held)->uid == second.uid);
  CHECK((*held)->removal_wanted);
  CHECK((*held)->generation == 2);
  CHECK(store.read(name)->removal_wanted);
  CHECK(code_of(store.create(new_object(name))) == "ALREADY_EXISTS");
  others.release(name);
  CHECK(code_of(store.read(name)) == "NOT_FOUND");
}

void check_reports(ObjectStore& store, const OtherWriters& others) {
  const std::string name = "contract-reports";
  Subscription reports = store.subscribe(name);
  const LogicalVolume created = create(store, name);
  CHECK(sees(reports, [&](const Report& report) { return report && report->uid == created.uid; }));
  CHECK(store.seen().get(name)->uid == created.uid);
  others.hold(name);
  others.set_handle(name, "contract-handle");
  CHECK(sees(reports, [](const Report& report) {
    return report && report->status.volume_id == "contract-handle";
  }));
  CHECK(store.seen().with_handle("contract-handle").size() == 1);
  CHECK(code_of(store.remove(created, Removal::kAlways)) == "OK");
  CHECK(sees(reports, [](const Report& report) { return report && report->removal_wanted; }));
  others.release(name);
  CHECK(sees(reports, [](const Report& report) { return !report; }));
  CHECK_FALSE(store.seen().get(name));
}

}  // namespace lvmd::controller::test
