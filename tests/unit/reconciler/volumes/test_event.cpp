#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "reconciler/kube/event_aggregator.hpp"
#include "reconciler/kube/event_json.hpp"
#include "reconciler/volumes/event.hpp"
#include "reconciler/volumes/failure.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::kube;
using namespace std::chrono_literals;

namespace {

constexpr EventAggregator::Time kFirstEvent{std::chrono::seconds{1767225600}};

LogicalVolume object() {
  LogicalVolume volume;
  volume.key.name = "data";
  volume.uid = "uid-1";
  volume.resource_version = "7";
  return volume;
}

VolumeStatus made_status(std::int64_t size) {
  return {.volume_id = "uid-1", .current_size = Bytes{size}};
}

}  // namespace

TEST_CASE("a created or resized volume is an event, any other write is not [R-EVENT-1]",
          "[reconciler][plan]") {
  LogicalVolume volume = object();
  CHECK(event_of(volume, made_status(1 << 30)) ==
        Event{.reason = "Created", .message = "created volume uid-1 of 1Gi"});
  volume.status = made_status(1 << 30);
  CHECK(event_of(volume, made_status(1LL << 31)) ==
        Event{.reason = "Resized", .message = "resized volume uid-1 from 1Gi to 2Gi"});
  VolumeStatus observed = made_status(1 << 30);
  observed.observed_generation = 2;
  CHECK_FALSE(event_of(volume, observed));
}

TEST_CASE("the end of a transfer is an event, once [R-EVENT-1]", "[reconciler][plan]") {
  LogicalVolume volume = object();
  volume.status = made_status(1 << 30);
  VolumeStatus after = volume.status;
  after.snapshot = SnapshotStatus{.phase = SnapshotPhase::kRunning, .repository = "/r"};
  CHECK_FALSE(event_of(volume, after));
  volume.status = after;
  SECTION("well") {
    after.snapshot->phase = SnapshotPhase::kSucceeded;
    after.snapshot->snapshot_id = "4bba301e";
    CHECK(event_of(volume, after) ==
          Event{.reason = "BackupSucceeded", .message = "repository /r, snapshot 4bba301e"});
  }
  SECTION("badly") {
    after.snapshot->phase = SnapshotPhase::kFailed;
    after.snapshot->error = TransferError{.message = "no route"};
    CHECK(event_of(volume, after) ==
          Event{.is_warning = true, .reason = "BackupFailed", .message = "no route"});
  }
  volume.status = after;
  CHECK_FALSE(event_of(volume, after));
}

TEST_CASE("a new failure is an event, transient or not [R-EVENT-1]", "[reconciler][plan]") {
  LogicalVolume volume = object();
  const Error error = make_error(GENERATE(Code::kResourceExhausted, Code::kAborted), "no luck");
  const VolumeStatus failed = failed_status(volume, error);
  CHECK(event_of(volume, failed) ==
        Event{.is_warning = true, .reason = "CreateFailed", .message = "no luck"});
  volume.status = failed;
  CHECK_FALSE(event_of(volume, failed));
  CHECK_FALSE(event_of(volume, renewed_status(volume)));
  volume.status = made_status(1 << 30);
  CHECK(event_of(volume, failed_status(volume, error))->reason == "ResizeFailed");
  volume.removal_wanted = true;
  CHECK(event_of(volume, failed_status(volume, error))->reason == "DeleteFailed");
}

TEST_CASE("events of one kind are one, and written once a minute at most [R-EVENT-2]",
          "[reconciler][kube]") {
  EventAggregator aggregator;
  const Event failed{.is_warning = true, .reason = "CreateFailed", .message = "no space"};
  const auto first = aggregator.note(object(), failed, kFirstEvent);
  REQUIRE(first.has_value());
  CHECK_FALSE(first->exists);
  CHECK(first->count == 1);
  CHECK_FALSE(aggregator.note(object(), failed, kFirstEvent + 1s));
  CHECK_FALSE(aggregator.note(object(), failed, kFirstEvent + 59s));
  const auto later = aggregator.note(object(), failed, kFirstEvent + 60s);
  REQUIRE(later.has_value());
  CHECK(later->exists);
  CHECK(later->name == first->name);
  CHECK(later->count == 4);
  CHECK(later->first == kFirstEvent);
  CHECK(later->last == kFirstEvent + 60s);
}

TEST_CASE("another reason, another object and another hour begin a new series [R-EVENT-2]",
          "[reconciler][kube]") {
  EventAggregator aggregator;
  const Event event{.reason = "Resized"};
  REQUIRE(aggregator.note(object(), event, kFirstEvent));
  LogicalVolume other = object();
  other.uid = "uid-2";
  CHECK_FALSE(aggregator.note(other, event, kFirstEvent + 1s)->exists);
  CHECK_FALSE(aggregator.note(object(), {.reason = "Created"}, kFirstEvent + 2s)->exists);
  CHECK_FALSE(aggregator.note(object(), event, kFirstEvent + 1h)->exists);
  aggregator.forget(object(), event);
  CHECK_FALSE(aggregator.note(object(), event, kFirstEvent + 1h + 1s)->exists);
}

TEST_CASE("however many objects fail, the memory of their events is bounded [R-EVENT-2]",
          "[reconciler][kube]") {
  EventAggregator aggregator;
  LogicalVolume volume = object();
  for (std::size_t i = 0; i <= EventAggregator::kMaxSeries; ++i) {
    volume.uid = std::to_string(i);
    REQUIRE(aggregator.note(volume, {.reason = "CreateFailed"},
                            kFirstEvent + std::chrono::milliseconds{i}));
  }
  // The oldest had to go, the newest is known.
  CHECK_FALSE(aggregator.note(volume, {.reason = "CreateFailed"}, kFirstEvent + 2s));
  volume.uid = "0";
  CHECK_FALSE(aggregator.note(volume, {.reason = "CreateFailed"}, kFirstEvent + 2s)->exists);
}

TEST_CASE("an event is the API's object about the LogicalVolume [R-EVENT-3]",
          "[reconciler][kube]") {
  EventAggregator aggregator;
  const Event event{.is_warning = true, .reason = "CreateFailed", .message = "no space"};
  const auto series = aggregator.note(object(), event, kFirstEvent);
  const auto written = nlohmann::json::parse(new_event(object(), event, *series, "n1"));
  CHECK(written["metadata"]["namespace"] == "default");
  CHECK(written["metadata"]["name"].get<std::string>().starts_with("data."));
  CHECK(written["involvedObject"] ==
        nlohmann::json::parse(R"({"apiVersion": "topolvm.io/v1", "kind": "LogicalVolume",
          "name": "data", "uid": "uid-1", "resourceVersion": "7"})"));
  CHECK(written["type"] == "Warning");
  CHECK(written["reason"] == "CreateFailed");
  CHECK(written["firstTimestamp"] == "2026-01-01T00:00:00Z");
  CHECK(written["source"]["host"] == "n1");
  CHECK(event_path(series->name).starts_with("/api/v1/namespaces/default/events/data."));
  CHECK(nlohmann::json::parse(event_patch(event, *series)) ==
        nlohmann::json::parse(
            R"({"count": 1, "lastTimestamp": "2026-01-01T00:00:00Z", "message": "no space"})"));
}

TEST_CASE("long names and messages are cut to the API's limits [R-EVENT-3]", "[reconciler][kube]") {
  EventAggregator aggregator;
  LogicalVolume volume = object();
  volume.key.name = std::string(235, 'a') + "-" + std::string(17, 'b');
  const Event event{.reason = "CreateFailed", .message = std::string(1022, 'x') + "ééé"};
  const auto series = aggregator.note(volume, event, kFirstEvent);
  CHECK(series->name.size() <= 253);
  CHECK(series->name.starts_with(std::string(235, 'a') + "."));
  const auto written = nlohmann::json::parse(new_event(volume, event, *series, "n1"));
  const auto message = written["message"].get<std::string>();
  CHECK(message.size() <= 1024);
  CHECK(message.ends_with("x..."));
}
