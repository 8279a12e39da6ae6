// The names that follow from the name of the CSI driver, as in TopoLVM [C-OBJ-1, C-OBJ-2].
#pragma once

#include <string>
#include <string_view>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

inline constexpr std::string_view kDefaultDriver = "topolvm.io";

struct Driver {
  std::string name{kDefaultDriver};

  // The API group of the driver's LogicalVolumes: topolvm.cybozu.com for the driver of that name,
  // otherwise topolvm.io.
  [[nodiscard]] reconciler::Group group() const;

  // The key of a topology segment, and the label of a Node, that has the node's name:
  // "topology.topolvm.io/node".
  [[nodiscard]] std::string topology_key() const;

  // The prefix of the Node annotations with the free capacity of each device class:
  // "capacity.topolvm.io/".
  [[nodiscard]] std::string capacity_prefix() const;

  // The annotation of a LogicalVolume that has the time of the last requested growth:
  // "topolvm.io/resize-requested-at".
  [[nodiscard]] std::string resize_annotation() const;
};

}  // namespace lvmd::controller
