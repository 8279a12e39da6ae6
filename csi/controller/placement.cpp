#include "csi/controller/placement.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "lvmd/base/reason.hpp"

namespace lvmd::controller {
namespace {

std::string text_of(const std::string& device_class) {
  return device_class.empty() ? "the default device class" : "device class " + device_class;
}

const StorageNode* find_node(std::span<const StorageNode> nodes, const std::string& name) {
  const auto found = std::ranges::find(nodes, name, &StorageNode::name);
  return found == nodes.end() ? nullptr : &*found;
}

struct Candidate {
  std::string name;
  std::int64_t capacity = 0;
};

// In the order of preference. Nodes without the class are left out.
std::vector<Candidate> candidates(const std::optional<std::vector<std::string>>& permitted,
                                  std::span<const StorageNode> nodes,
                                  const std::string& device_class) {
  std::vector<Candidate> found;
  const auto add = [&](const StorageNode& node) {
    if (const auto capacity = capacity_of(node, device_class))
      found.push_back({.name = node.name, .capacity = *capacity});
  };
  if (permitted) {
    for (const std::string& name : *permitted)
      if (const StorageNode* const node = find_node(nodes, name); node != nullptr) add(*node);
    return found;
  }
  for (const StorageNode& node : nodes) add(node);
  std::ranges::sort(found, [](const Candidate& one, const Candidate& other) {
    return std::tie(other.capacity, one.name) < std::tie(one.capacity, other.name);
  });
  return found;
}

}  // namespace

std::optional<std::int64_t> capacity_of(const StorageNode& node, std::string_view device_class) {
  const auto found = node.capacities.find(device_class.empty() ? kDefaultClass : device_class);
  if (found == node.capacities.end()) return std::nullopt;
  return found->second;
}

Result<std::optional<std::vector<std::string>>> permitted_nodes(
    const api::TopologyRequirement& requirement, const std::string& topology_key) {
  if (requirement.preferred().empty() && requirement.requisite().empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto* const topologies : {&requirement.preferred(), &requirement.requisite()})
    for (const api::Topology& topology : *topologies) {
      const auto segment = topology.segments().find(topology_key);
      if (segment == topology.segments().end() || segment->second.empty()) continue;
      if (std::ranges::count(names, segment->second) == 0) names.push_back(segment->second);
    }
  if (names.empty())
    return fail(Code::kInvalidArgument, "accessibility_requirements has no segment {}",
                topology_key)
        .about("accessibility_requirements", topology_key);
  return names;
}

bool permits(const std::optional<std::vector<std::string>>& permitted, const std::string& node) {
  return !permitted || std::ranges::count(*permitted, node) > 0;
}

Result<std::string> choose_node(const std::optional<std::vector<std::string>>& permitted,
                                std::span<const StorageNode> nodes, const std::string& device_class,
                                reconciler::Bytes size) {
  const std::vector<Candidate> found = candidates(permitted, nodes, device_class);
  const auto chosen =
      std::ranges::find_if(found, [&](const Candidate& one) { return one.capacity >= size.value; });
  if (chosen != found.end()) return chosen->name;
  const std::string which =
      permitted ? fmt::format("of the nodes {}", fmt::join(*permitted, ", ")) : "of all nodes";
  if (found.empty())
    return fail(Code::kResourceExhausted, "none {} has {}", which, text_of(device_class))
        .because(reason::kUnknownDeviceClass)
        .with(key::kDeviceClass, device_class);
  const auto best = std::ranges::max_element(found, {}, &Candidate::capacity);
  return fail(Code::kResourceExhausted,
              "none {} has {} bytes left in {}: {} has the most, {} bytes", which, size.value,
              text_of(device_class), best->name, best->capacity)
      .because(reason::kNotEnoughSpace)
      .with(key::kRequested, size.value)
      .with(key::kAvailable, best->capacity);
}

FreeCapacity free_capacity(const std::optional<std::string>& node,
                           std::span<const StorageNode> nodes, const std::string& device_class) {
  FreeCapacity free;
  for (const StorageNode& one : nodes) {
    if (node && *node != one.name) continue;
    const std::int64_t capacity = capacity_of(one, device_class).value_or(0);
    free.total += capacity;
    free.largest = std::max(free.largest, capacity);
  }
  return free;
}

}  // namespace lvmd::controller
