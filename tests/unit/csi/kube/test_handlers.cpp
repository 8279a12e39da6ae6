#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "csi/kube/handlers.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::kube;
using nlohmann::json;

namespace {

json volume(const std::string& name, const std::string& node) {
  return {{"metadata", {{"name", name}, {"uid", "uid-" + name}}}, {"spec", {{"nodeName", node}}}};
}

json node(const std::string& name, const std::string& segment, const std::string& ssd) {
  return {{"metadata",
           {{"name", name},
            {"labels", {{"topology.topolvm.io/node", segment}}},
            {"annotations",
             {{"capacity.topolvm.io/ssd", ssd},
              {"capacity.topolvm.io/00default", "5"},
              {"capacity.topolvm.cybozu.com/ssd", "1"},
              {"other", "2"}}}}}};
}

}  // namespace

TEST_CASE("the objects of all nodes are watched [C-KUBE-2]", "[csi][kube]") {
  ObjectFeed feed;
  VolumesHandler handler{reconciler::Group::kLegacy, feed};
  CHECK(handler.path() == "/apis/topolvm.cybozu.com/v1/logicalvolumes");
  CHECK(handler.field_selector().empty());
  handler.begin_list();
  REQUIRE(handler.add_listed(volume("a", "n1")));
  REQUIRE(handler.add_listed(volume("b", "n2")));
  CHECK(feed.all().empty());
  handler.end_list();
  CHECK(feed.all().size() == 2);
  CHECK(feed.get("a")->key.group == reconciler::Group::kLegacy);
  REQUIRE(handler.put(volume("c", "n1")));
  REQUIRE(handler.erase(volume("a", "n1")));
  CHECK(feed.get("c"));
  CHECK_FALSE(feed.get("a"));
  CHECK_FALSE(handler.put(json::object()));
}

TEST_CASE("a Node counts while it has the driver's label, with its capacity [C-KUBE-3]",
          "[csi][kube]") {
  NodesHandler handler{{}};
  CHECK(handler.path() == "/api/v1/nodes");
  CHECK(handler.wants_only_metadata());
  handler.begin_list();
  REQUIRE(handler.add_listed(node("worker-1", "n1", "10")));
  REQUIRE(handler.add_listed(node("worker-2", "", "20")));
  CHECK(handler.all().empty());
  handler.end_list();
  REQUIRE(handler.all().size() == 1);
  const StorageNode expected{.name = "n1", .capacities = {{"00default", 5}, {"ssd", 10}}};
  CHECK(handler.all()[0] == expected);
  REQUIRE(handler.put(node("worker-2", "n2", "20")));
  CHECK(handler.all().size() == 2);
  REQUIRE(handler.put(node("worker-1", "n1", "not a number")));
  CHECK_FALSE(capacity_of(handler.all()[0], "ssd"));
  REQUIRE(handler.put(node("worker-1", "", "10")));
  CHECK(handler.all().size() == 1);
  REQUIRE(handler.erase(node("worker-2", "n2", "20")));
  CHECK(handler.all().empty());
}

TEST_CASE("the capacity of an older driver has its own annotations [C-OBJ-1, C-KUBE-3]",
          "[csi][kube]") {
  NodesHandler handler{{.name = "topolvm.cybozu.com"}};
  json object = node("worker-1", "", "10");
  object["metadata"]["labels"]["topology.topolvm.cybozu.com/node"] = "n1";
  REQUIRE(handler.put(object));
  REQUIRE(handler.all().size() == 1);
  CHECK(capacity_of(handler.all()[0], "ssd") == 1);
}
