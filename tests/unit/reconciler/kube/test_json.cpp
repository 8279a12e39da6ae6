#include <fmt/format.h>
#include <malloc.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/line_splitter.hpp"
#include "reconciler/kube/object_json.hpp"
#include "reconciler/kube/patch_json.hpp"
#include "reconciler/kube/volume_handler.hpp"
#include "reconciler/kube/watch_event.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::kube;
using nlohmann::json;

namespace {

json full_object() {
  return json::parse(R"({
    "apiVersion": "topolvm.io/v1", "kind": "LogicalVolume",
    "metadata": {"name": "pvc-1", "uid": "uid-1", "resourceVersion": "42", "generation": 3,
                 "creationTimestamp": "2026-01-31T12:00:00Z",
                 "finalizers": ["other/one", "topolvm.io/logicalvolume"],
                 "labels": {"app.kubernetes.io/created-by": "topolvm-controller", "a": "b"},
                 "annotations": {"topolvm.io/resize-requested-at": "now"}},
    "spec": {"name": "pvc-1", "nodeName": "n1", "size": "1Gi", "deviceClass": "ssd",
             "lvcreateOptionClass": "fast", "source": "origin", "accessType": "ro"},
    "status": {"volumeID": "uid-1", "code": 8, "message": "no space", "currentSize": "512Mi",
               "observedGeneration": 2, "conditions": [
                 {"type": "Ready", "status": "False", "reason": "NotEnoughSpace",
                  "message": "no space", "lastTransitionTime": "2026-01-01T00:00:00Z"},
                 {"type": "BackupReady", "status": "True", "reason": "Done", "message": "",
                  "lastTransitionTime": "2026-01-02T00:00:00Z", "observedGeneration": 1}]}
  })");
}

LogicalVolume parsed(const json& object) {
  const auto volume = object_from_json(Group::kTopolvm, object);
  REQUIRE(volume.has_value());
  return *volume;
}

}  // namespace

TEST_CASE("every field of an object is read [R-OBJ-10..16, R-OBJ-20..23]", "[reconciler][kube]") {
  const LogicalVolume volume = parsed(full_object());
  CHECK(to_string(volume.key) == "topolvm.io/pvc-1");
  CHECK(volume.uid == "uid-1");
  CHECK(volume.resource_version == "42");
  CHECK(volume.annotations.contains("topolvm.io/resize-requested-at"));
  CHECK(volume.spec == VolumeSpec{"pvc-1", "n1", "1Gi", "ssd", "fast", "origin", "ro"});
  CHECK(volume.generation == 3);
  CHECK(volume.creation_timestamp == "2026-01-31T12:00:00Z");
  CHECK(volume.status.volume_id == "uid-1");
  CHECK(volume.status.code == 8);
  CHECK(volume.status.message == "no space");
  CHECK(volume.status.current_size == Bytes{536870912});
  CHECK(volume.status.observed_generation == 2);
  REQUIRE(volume.status.conditions.size() == 2);
  CHECK(volume.status.conditions[0] == Condition{.type = "Ready",
                                                 .status = "False",
                                                 .reason = "NotEnoughSpace",
                                                 .message = "no space",
                                                 .last_transition_time = "2026-01-01T00:00:00Z"});
  CHECK(volume.status.conditions[1].observed_generation == 1);
  CHECK(volume.has_finalizer);
  CHECK(volume.has_metadata);
  CHECK_FALSE(volume.removal_wanted);
}

TEST_CASE("quantities may be numbers [R-QTY-1]", "[reconciler][kube]") {
  json object = full_object();
  object["spec"]["size"] = 4096;
  object["status"]["currentSize"] = 8192;
  CHECK(parsed(object).spec.size == "4096");
  CHECK(parsed(object).status.current_size == Bytes{8192});
}

TEST_CASE("an object without a status has an empty one", "[reconciler][kube]") {
  json object = full_object();
  object.erase("status");
  CHECK(parsed(object).status == VolumeStatus{});
}

TEST_CASE("has_metadata needs finalizer and label, has_finalizer the finalizer only [R-CREATE-1]",
          "[reconciler][kube]") {
  json object = full_object();
  object["metadata"].erase("labels");
  CHECK(parsed(object).has_finalizer);
  CHECK_FALSE(parsed(object).has_metadata);
  object["metadata"]["finalizers"] = {"topolvm.cybozu.com/logicalvolume"};
  CHECK_FALSE(parsed(object).has_finalizer);
  CHECK(object_from_json(Group::kLegacy, object)->has_finalizer);
}

TEST_CASE("a deletion timestamp means removal", "[reconciler][kube]") {
  json object = full_object();
  object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  CHECK(parsed(object).removal_wanted);
  CHECK(parsed(object).removal_begun);
}

TEST_CASE("what is no object is refused", "[reconciler][kube]") {
  const std::string text = GENERATE(as<std::string>{}, "", "[]", "{", "{}", R"({"metadata":{}})",
                                    R"({"metadata":{"name":"a"}})", R"({"metadata":"a"})");
  CHECK_FALSE(parse_object(Group::kTopolvm, text).has_value());
}

TEST_CASE("a list has objects, a version and a continuation [R-KUBE-1]", "[reconciler][kube]") {
  const json list{{"metadata", {{"resourceVersion", "7"}, {"continue", "more"}}},
                  {"items", {full_object()}}};
  const auto page = parse_list(list.dump());
  REQUIRE(page.has_value());
  CHECK(page->items.size() == 1);
  CHECK(page->resource_version == "7");
  CHECK(page->continuation == "more");
  CHECK_FALSE(parse_list("{}").has_value());
  CHECK_FALSE(parse_list("no json").has_value());
}

TEST_CASE("adding the finalizer keeps those of others and checks the version [R-KUBE-8, R-OBJ-4]",
          "[reconciler][kube]") {
  LogicalVolume volume = parsed(full_object());
  volume.finalizers = {"other/one"};
  const json patch = json::parse(finalizer_patch(volume));
  CHECK(patch == json::parse(R"({"metadata": {"resourceVersion": "42",
    "finalizers": ["other/one", "topolvm.io/logicalvolume"],
    "labels": {"app.kubernetes.io/created-by": "topolvm-controller"}}})"));
  volume.finalizers = {"topolvm.io/logicalvolume"};
  CHECK(json::parse(finalizer_patch(volume))["metadata"]["finalizers"].size() == 1);
}

TEST_CASE("the class is stored in the object before the volume is created, and stays [R-CREATE-8]",
          "[reconciler][kube]") {
  json object = full_object();
  object["status"].erase("volumeID");
  CHECK_FALSE(parsed(object).has_metadata);
  LogicalVolume volume = parsed(object);
  CHECK(json::parse(finalizer_patch(volume))["metadata"]["annotations"] ==
        json{{"lvmd.io/device-class", "ssd"}});
  object["metadata"]["annotations"]["lvmd.io/device-class"] = "ssd";
  CHECK(parsed(object).has_metadata);
  CHECK_FALSE(parsed(object).defect.has_value());
  SECTION("another class is refused, and the volume stays where it is") {
    object["spec"]["deviceClass"] = "hdd";
    volume = parsed(object);
    REQUIRE(volume.defect.has_value());
    CHECK(volume.defect->code == Code::kFailedPrecondition);
    CHECK(volume.defect->message.contains("\"hdd\""));
    CHECK(volume.spec.device_class == "ssd");
  }
  SECTION("none is the default class as it was") {
    object["spec"].erase("deviceClass");
    CHECK_FALSE(parsed(object).defect.has_value());
    CHECK(parsed(object).spec.device_class == "ssd");
  }
  SECTION("of spec.vgName it is the class that was found") {
    object["spec"].erase("deviceClass");
    object["spec"]["vgName"] = "vg0";
    CHECK_FALSE(parsed(object).defect.has_value());
    CHECK(parsed(object).spec.device_class == "ssd");
  }
}

TEST_CASE("only the reconciler's own finalizer is removed [R-DELETE-2]", "[reconciler][kube]") {
  LogicalVolume volume = parsed(full_object());
  CHECK(json::parse(finalizer_removal_patch(volume)) ==
        json::parse(R"({"metadata": {"resourceVersion": "42", "finalizers": ["other/one"]}})"));
  volume.finalizers = {"topolvm.io/logicalvolume"};
  CHECK(json::parse(finalizer_removal_patch(volume))["metadata"]["finalizers"] == json::array());
}

TEST_CASE("a status patch has the reconciler's fields and no other [R-KUBE-9]",
          "[reconciler][kube]") {
  const LogicalVolume volume = parsed(full_object());
  CHECK(json::parse(status_patch(
            volume,
            {.volume_id = "uid-1", .current_size = Bytes{1 << 30}, .observed_generation = 3})) ==
        json::parse(R"({"metadata": {"resourceVersion": "42"}, "status": {"volumeID": "uid-1",
          "code": 0, "message": null, "currentSize": "1Gi", "observedGeneration": 3,
          "conditions": []}})"));
  CHECK(json::parse(status_patch(volume, {.code = 3, .message = "bad"})) ==
        json::parse(R"({"metadata": {"resourceVersion": "42"}, "status": {"volumeID": null,
          "code": 3, "message": "bad", "currentSize": null, "observedGeneration": 0,
          "conditions": []}})"));
}

TEST_CASE(
    "conditions are written as they were read, including those of other writers [R-OBJ-25, "
    "R-KUBE-9]",
    "[reconciler][kube]") {
  const LogicalVolume volume = parsed(full_object());
  CHECK(json::parse(status_patch(volume, volume.status))["status"]["conditions"] ==
        full_object()["status"]["conditions"]);
}

TEST_CASE("the CSI status is read and written, and removed when there is none [R-CSI-1]",
          "[reconciler][kube]") {
  json object = full_object();
  object["status"].update(json::parse(R"({"csiStatus": "Failed", "csiPublications": 2,
    "csiFailure": {"call": "NodeStageVolume", "reason": "VolumeBlank", "message": "empty"}})"));
  LogicalVolume volume = parsed(object);
  const CsiStatus failed{
      .state = "Failed",
      .publications = 2,
      .failure =
          CsiFailure{.call = "NodeStageVolume", .reason = "VolumeBlank", .message = "empty"}};
  CHECK(volume.status.csi == failed);
  const auto written = [&](const std::optional<CsiStatus>& csi) {
    VolumeStatus status = volume.status;
    status.csi = csi;
    return json::parse(status_patch(volume, status))["status"];
  };
  CHECK(written(failed)["csiStatus"] == "Failed");
  CHECK(written(failed)["csiPublications"] == 2);
  CHECK(written(failed)["csiFailure"] == object["status"]["csiFailure"]);
  CHECK(written(CsiStatus{.state = "Created"})["csiFailure"].is_null());
  CHECK(written(CsiStatus{.state = "Failed", .failure = CsiFailure{.reason = "X"}})["csiFailure"] ==
        json::parse(R"({"call": null, "reason": "X", "message": null})"));
  const json none = written(std::nullopt);
  CHECK(none.at("csiStatus").is_null());
  CHECK(none.at("csiPublications").is_null());
  CHECK(none.at("csiFailure").is_null());
  volume.status.csi.reset();
  CHECK_FALSE(written(std::nullopt).contains("csiStatus"));
}

TEST_CASE("a message that is not UTF-8 can be written all the same", "[reconciler][kube]") {
  const LogicalVolume volume = parsed(full_object());
  CHECK(json::accept(status_patch(volume, {.code = 13, .message = "\xff\xfe"})));
}

TEST_CASE("lines are put together from any pieces", "[reconciler][kube]") {
  LineSplitter splitter;
  CHECK(splitter.feed("{\"a\"").empty());
  CHECK(splitter.feed(":1}\n\n{\"b\":2}\n{\"c") ==
        std::vector<std::string>{"{\"a\":1}", "{\"b\":2}"});
  CHECK(splitter.feed("\":3}").empty());
  CHECK(splitter.feed("\n") == std::vector<std::string>{"{\"c\":3}"});
}

TEST_CASE("watch events are read", "[reconciler][kube]") {
  const auto event = [](const char* type) {
    return parse_watch_event(json{{"type", type}, {"object", full_object()}}.dump());
  };
  for (const char* const type : {"ADDED", "MODIFIED"}) {
    const auto upserted = event(type);
    REQUIRE(upserted.has_value());
    CHECK(upserted->kind == WatchEvent::Kind::kUpserted);
    CHECK(upserted->object == full_object());
    CHECK(upserted->resource_version == "42");
  }
  CHECK(event("DELETED").value().kind == WatchEvent::Kind::kDeleted);
  CHECK_FALSE(event("RENAMED").has_value());
}

TEST_CASE("a bookmark has a version and nothing else [R-KUBE-2]", "[reconciler][kube]") {
  const auto event = parse_watch_event(
      R"({"type":"BOOKMARK","object":{"kind":"LogicalVolume","metadata":{"resourceVersion":"99"}}})");
  REQUIRE(event.has_value());
  CHECK(event->kind == WatchEvent::Kind::kBookmark);
  CHECK(event->resource_version == "99");
}

TEST_CASE("410 in a watch is distinguished from other errors [R-KUBE-3]", "[reconciler][kube]") {
  const auto expired = parse_watch_event(
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old"}})");
  REQUIRE_FALSE(expired.has_value());
  CHECK(expired.error().code == Code::kOutOfRange);
  CHECK(expired.error().message.contains("too old"));
  const auto other = parse_watch_event(R"({"type":"ERROR","object":{"code":500}})");
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().code == Code::kUnavailable);
}

TEST_CASE("a line that is not an event is refused", "[reconciler][kube]") {
  const std::string line =
      GENERATE(as<std::string>{}, "", "no json", "[]", "{}", R"({"type":"ADDED"})",
               R"({"type":1,"object":{}})", R"({"type":"ADDED","object":{}})",
               R"({"type":"BOOKMARK","object":{}})", R"({"type":"ADDED","object":[]})");
  INFO(line);
  CHECK_FALSE(parse_watch_event(line).has_value());
}

TEST_CASE("a list replaces the objects of its group, and of no other [R-KUBE-3]",
          "[reconciler][kube]") {
  ObjectCache cache{"n1"};
  cache.on_change([](const Key&) {});
  VolumeHandler ours{Group::kTopolvm, "n1", cache};
  VolumeHandler legacy{Group::kLegacy, "n1", cache};
  CHECK(ours.field_selector() == "spec.nodeName=n1");
  const auto named = [](const char* name) {
    json object = full_object();
    object["metadata"]["name"] = name;
    object["spec"]["nodeName"] = "n1";
    return object;
  };
  REQUIRE(legacy.put(named("other")));
  REQUIRE(ours.put(named("old")));
  ours.begin_list();
  REQUIRE(ours.add_listed(named("broken off")));
  ours.begin_list();
  REQUIRE(ours.add_listed(named("new")));
  CHECK(cache.keys().size() == 2);
  ours.end_list();
  CHECK(cache.get({.name = "new"}).has_value());
  CHECK_FALSE(cache.get({.name = "old"}).has_value());
  CHECK_FALSE(cache.get({.name = "broken off"}).has_value());
  CHECK(cache.get({.group = Group::kLegacy, .name = "other"}).has_value());
  REQUIRE(ours.erase(named("new")));
  CHECK(cache.keys().size() == 1);
  CHECK_FALSE(ours.put(json::object()));
}

TEST_CASE("only this node's objects are kept of a list without a selector [R-KUBE-4]",
          "[reconciler][kube]") {
  ObjectCache cache{"n1"};
  cache.on_change([](const Key&) {});
  VolumeHandler volumes{Group::kTopolvm, "n1", cache};
  json object = full_object();
  object["spec"]["nodeName"] = "another";
  volumes.begin_list();
  const std::size_t before = ::mallinfo2().uordblks;
  for (int number = 0; number < 20'000; ++number) {
    object["metadata"]["name"] = fmt::format("pvc-{}", number);
    REQUIRE(volumes.add_listed(object));
  }
  // A list of that length was 93 MB; the pod may have 64 MiB.
  CHECK(::mallinfo2().uordblks < before + (std::size_t{1} << 20U));
  object["spec"]["nodeName"] = "n1";
  REQUIRE(volumes.add_listed(object));
  volumes.end_list();
  CHECK(cache.keys().size() == 1);
}

TEST_CASE("paths select the node and are encoded [R-KUBE-1, R-KUBE-2, R-KUBE-4]",
          "[reconciler][kube]") {
  CHECK(list_path(volumes_path(Group::kTopolvm), "spec.nodeName=n1", "") ==
        "/apis/topolvm.io/v1/logicalvolumes?limit=500&fieldSelector=spec.nodeName%3Dn1");
  CHECK(list_path(volumes_path(Group::kLegacy), "", "a+b=") ==
        "/apis/topolvm.cybozu.com/v1/logicalvolumes?limit=500&continue=a%2Bb%3D");
  CHECK(watch_path(volumes_path(Group::kTopolvm), "", "7", 300) ==
        "/apis/topolvm.io/v1/logicalvolumes?watch=true&allowWatchBookmarks=true&"
        "resourceVersion=7&timeoutSeconds=300");
  CHECK(status_path({.name = "pvc-1"}) == "/apis/topolvm.io/v1/logicalvolumes/pvc-1/status");
}

TEST_CASE("HTTP statuses become codes with the server's own message", "[reconciler][kube]") {
  const auto [status, code] = GENERATE(table<long, Code>({{400, Code::kInvalidArgument},
                                                          {401, Code::kPermissionDenied},
                                                          {403, Code::kPermissionDenied},
                                                          {404, Code::kNotFound},
                                                          {409, Code::kAborted},
                                                          {410, Code::kOutOfRange},
                                                          {422, Code::kInvalidArgument},
                                                          {429, Code::kUnavailable},
                                                          {503, Code::kUnavailable}}));
  const auto error = error_of(status, R"({"message":"cannot list resource"})");
  REQUIRE(error.has_value());
  CHECK(error->code == code);
  CHECK(error->message.contains("cannot list resource"));
  CHECK(error_of(status, "<html>").value().message.contains("<html>"));
  CHECK_FALSE(error_of(200, "").has_value());
  CHECK_FALSE(error_of(201, "").has_value());
}
