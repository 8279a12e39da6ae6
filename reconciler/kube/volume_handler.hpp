// Puts the LogicalVolumes of one API group into the cache of this node's objects.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reconciler/kube/object_cache.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::reconciler::kube {

class VolumeHandler final : public ResourceHandler {
 public:
  // `cache` must outlive it.
  VolumeHandler(Group group, std::string node_name, ObjectCache& cache)
      : group_(group), node_name_(std::move(node_name)), cache_(cache) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string path() const override;
  [[nodiscard]] std::string field_selector() const override;

  void begin_list() override { listed_.clear(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override;
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  const Group group_;
  const std::string node_name_;
  ObjectCache& cache_;
  std::vector<LogicalVolume> listed_;
};

}  // namespace lvmd::reconciler::kube
