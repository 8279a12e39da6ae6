// The nodes that can have volumes, their free capacity, and the choice of the node for a new
// volume. Pure. Rules: C-PLACE-*, C-CAPA-*.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "csi/controller/api.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::controller {

// A Node with the label of the driver's topology key.
struct StorageNode {
  // The value of the label, which is the name of the node in lvmd and in spec.nodeName.
  std::string name{};
  // In bytes, by device class; kDefaultClass for the default class.
  std::map<std::string, std::int64_t, std::less<>> capacities{};

  friend bool operator==(const StorageNode&, const StorageNode&) = default;
};

inline constexpr std::string_view kDefaultClass = "00default";

// The free capacity of a class; empty: the default class. Absent: the node does not have the class.
[[nodiscard]] std::optional<std::int64_t> capacity_of(const StorageNode& node,
                                                      std::string_view device_class);

// The names of the nodes that a request permits, the preferred ones first, each once. Absent: every
// node. InvalidArgument when no segment has the key.
[[nodiscard]] Result<std::optional<std::vector<std::string>>> permitted_nodes(
    const api::TopologyRequirement& requirement, const std::string& topology_key);

[[nodiscard]] bool permits(const std::optional<std::vector<std::string>>& permitted,
                           const std::string& node);

// The first permitted node on which the class has room for the volume; if every node is permitted,
// the one with the most room. ResourceExhausted when there is none: the scheduler then chooses
// another node for the pod.
[[nodiscard]] Result<std::string> choose_node(
    const std::optional<std::vector<std::string>>& permitted, std::span<const StorageNode> nodes,
    const std::string& device_class, reconciler::Bytes size);

struct FreeCapacity {
  // Of all nodes together.
  std::int64_t total = 0;
  // The size of the largest volume that fits one of them.
  std::int64_t largest = 0;
};

// The free capacity of a class on one node, or on all. No such node, or no such class: 0.
[[nodiscard]] FreeCapacity free_capacity(const std::optional<std::string>& node,
                                         std::span<const StorageNode> nodes,
                                         const std::string& device_class);

}  // namespace lvmd::controller
