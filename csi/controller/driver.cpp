#include "csi/controller/driver.hpp"

#include <fmt/format.h>

namespace lvmd::controller {

using reconciler::Group;

Group Driver::group() const { return reconciler::parse_group(name).value_or(Group::kTopolvm); }

std::string Driver::topology_key() const { return fmt::format("topology.{}/node", name); }

std::string Driver::capacity_prefix() const {
  return fmt::format("capacity.{}/", reconciler::to_string(group()));
}

std::string Driver::resize_annotation() const {
  return fmt::format("{}/resize-requested-at", reconciler::to_string(group()));
}

}  // namespace lvmd::controller
