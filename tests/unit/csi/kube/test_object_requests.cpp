#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "csi/kube/object_requests.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::kube;
using namespace lvmd::controller::test;
using nlohmann::json;
using reconciler::Group;

TEST_CASE("a new object has the fields that are set, in its group [C-KUBE-1]", "[csi][kube]") {
  NewObject object{.key = {.group = Group::kLegacy, .name = "pvc-1"},
                   .spec = {.name = "pvc-1", .node_name = "n1", .size = "1Gi"}};
  CHECK(json::parse(new_object_body(object)) == json::parse(R"({
    "apiVersion": "topolvm.cybozu.com/v1", "kind": "LogicalVolume",
    "metadata": {"name": "pvc-1"},
    "spec": {"name": "pvc-1", "nodeName": "n1", "size": "1Gi"}})"));
  object.spec.device_class = "ssd";
  object.spec.lvcreate_option_class = "fast";
  object.spec.source = "origin";
  object.spec.access_type = "ro";
  object.annotations["lvmd.io/source-volume"] = "handle";
  const json body = json::parse(new_object_body(object));
  CHECK(body["metadata"]["annotations"] == json{{"lvmd.io/source-volume", "handle"}});
  CHECK(body["spec"] == json::parse(R"({
    "name": "pvc-1", "nodeName": "n1", "size": "1Gi", "deviceClass": "ssd",
    "lvcreateOptionClass": "fast", "source": "origin", "accessType": "ro"})"));
}

TEST_CASE(
    "a change of the size changes nothing else, and only the object that was read "
    "[C-GROW-1, C-KUBE-1]",
    "[csi][kube]") {
  CHECK(json::parse(size_patch(sample_volume(), reconciler::Bytes{2 * kGi},
                               "topolvm.io/resize-requested-at", "2026-01-31T12:00:00Z")) ==
        json::parse(R"({
    "metadata": {"resourceVersion": "7",
                 "annotations": {"topolvm.io/resize-requested-at": "2026-01-31T12:00:00Z"}},
    "spec": {"size": "2Gi"}})"));
}

TEST_CASE("a removal names the UID and, if needed, the version [C-KUBE-1]", "[csi][kube]") {
  const json always = json::parse(removal_body(sample_volume(), Removal::kAlways));
  CHECK(always["kind"] == "DeleteOptions");
  CHECK(always["preconditions"] == json{{"uid", "uid-of-pvc-1"}});
  const json unchanged = json::parse(removal_body(sample_volume(), Removal::kIfUnchanged));
  CHECK(unchanged["preconditions"] == json{{"uid", "uid-of-pvc-1"}, {"resourceVersion", "7"}});
}

TEST_CASE("the response to a removal tells whether the object is gone [C-KUBE-1]", "[csi][kube]") {
  const auto gone = parse_removal(Group::kTopolvm, R"({"kind": "Status", "status": "Success"})");
  REQUIRE(gone);
  CHECK_FALSE(*gone);
  json object = json::parse(R"({"kind": "LogicalVolume", "metadata": {
    "name": "pvc-1", "uid": "u", "deletionTimestamp": "2026-01-31T12:00:00Z",
    "finalizers": ["topolvm.io/logicalvolume"]}})");
  const auto held = parse_removal(Group::kTopolvm, object.dump());
  REQUIRE(held);
  REQUIRE(*held);
  CHECK((*held)->removal_wanted);
  object["metadata"].erase("finalizers");
  CHECK_FALSE(*parse_removal(Group::kTopolvm, object.dump()));
  CHECK_FALSE(parse_removal(Group::kTopolvm, "no JSON"));
}

TEST_CASE("only one kind of conflict means that the object exists [C-KUBE-1]", "[csi][kube]") {
  CHECK(is_already_exists(R"({"kind": "Status", "reason": "AlreadyExists"})"));
  CHECK_FALSE(is_already_exists(R"({"kind": "Status", "reason": "Conflict"})"));
  CHECK_FALSE(is_already_exists("no JSON"));
}
