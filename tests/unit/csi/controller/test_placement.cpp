#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "csi/controller/placement.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;

namespace {

const std::string kKey = "topology.topolvm.io/node";
using Names = std::vector<std::string>;

std::vector<StorageNode> sample_nodes() {
  return {{.name = "n1", .capacities = {{"00default", 5}, {"ssd", 10}}},
          {.name = "n2", .capacities = {{"00default", 50}, {"ssd", 20}}},
          {.name = "n3", .capacities = {{"00default", 40}}}};
}

// The node, or the code of the error.
std::string choice(const std::optional<Names>& permitted, const std::string& device_class,
                   std::int64_t size) {
  const auto node = choose_node(permitted, sample_nodes(), device_class, Bytes{size});
  return node ? *node : std::string{to_string(node.error().code)};
}

}  // namespace

TEST_CASE("preferred nodes come first, and each node is named once [C-PLACE-1]",
          "[csi][controller]") {
  api::TopologyRequirement requirement;
  CHECK(permitted_nodes(requirement, kKey)->has_value() == false);
  add_node(*requirement.mutable_requisite(), "n1");
  add_node(*requirement.mutable_requisite(), "n2");
  add_node(*requirement.mutable_requisite(), "other", "zone");
  CHECK(permitted_nodes(requirement, kKey) == Names{"n1", "n2"});
  add_node(*requirement.mutable_preferred(), "n2");
  CHECK(permitted_nodes(requirement, kKey) == Names{"n2", "n1"});
}

TEST_CASE("a requirement without the driver's key is invalid [C-PLACE-1]", "[csi][controller]") {
  api::TopologyRequirement requirement;
  add_node(*requirement.mutable_requisite(), "a", "zone");
  const auto refused = permitted_nodes(requirement, kKey);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message.contains(kKey));
}

TEST_CASE("the first permitted node with room is chosen [C-PLACE-1]", "[csi][controller]") {
  CHECK(choice(Names{"n1", "n2"}, "ssd", 10) == "n1");
  CHECK(choice(Names{"n2", "n1"}, "ssd", 10) == "n2");
  CHECK(choice(Names{"n1", "n2"}, "ssd", 11) == "n2");
  CHECK(choice(Names{"n3", "n1"}, "ssd", 1) == "n1");
  CHECK(choice(Names{"n1", "n3"}, "", 6) == "n3");
}

TEST_CASE("without a requirement the node with the most room is chosen [C-PLACE-2]",
          "[csi][controller]") {
  CHECK(choice(std::nullopt, "ssd", 5) == "n2");
  CHECK(choice(std::nullopt, "", 50) == "n2");
}

TEST_CASE("if no node has room, the pod is to be scheduled again [C-PLACE-3]",
          "[csi][controller]") {
  CHECK(choice(Names{"n1"}, "ssd", 11) == "RESOURCE_EXHAUSTED");
  CHECK(choice(Names{"n3"}, "ssd", 1) == "RESOURCE_EXHAUSTED");
  CHECK(choice(Names{"unknown"}, "ssd", 1) == "RESOURCE_EXHAUSTED");
  CHECK(choice(std::nullopt, "hdd", 1) == "RESOURCE_EXHAUSTED");
  const auto full = choose_node(Names{"n1", "n2"}, sample_nodes(), "ssd", Bytes{21});
  CHECK(full.error().message.contains("n2 has the most, 20 bytes"));
}

TEST_CASE("the free capacity is that of a class, on one node or on all [C-CAPA-1]",
          "[csi][controller]") {
  const auto nodes = sample_nodes();
  CHECK(free_capacity("n1", nodes, "ssd").total == 10);
  CHECK(free_capacity("n1", nodes, "").total == 5);
  CHECK(free_capacity("n3", nodes, "ssd").total == 0);
  CHECK(free_capacity("unknown", nodes, "ssd").total == 0);
  CHECK(free_capacity(std::nullopt, nodes, "ssd").total == 30);
  CHECK(free_capacity(std::nullopt, nodes, "ssd").largest == 20);
}
