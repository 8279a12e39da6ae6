// What the watches of LogicalVolumes and Nodes report.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "csi/controller/driver.hpp"
#include "csi/controller/object_feed.hpp"
#include "csi/controller/placement.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::controller::kube {

// Puts the LogicalVolumes of all nodes into the feed.
class VolumesHandler final : public reconciler::kube::ResourceHandler {
 public:
  // `feed` must outlive it.
  VolumesHandler(reconciler::Group group, ObjectFeed& feed) : group_(group), feed_(feed) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string path() const override;

  void begin_list() override { listed_.clear(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override { feed_.replace(std::exchange(listed_, {})); }
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  const reconciler::Group group_;
  ObjectFeed& feed_;
  std::vector<reconciler::LogicalVolume> listed_;
};

// Keeps the Nodes that have the label of the driver's topology key, with the capacity in their
// annotations [C-KUBE-3]. Other parts of a Node are not requested.
class NodesHandler final : public reconciler::kube::ResourceHandler {
 public:
  explicit NodesHandler(Driver driver) : driver_(std::move(driver)) {}

  // In the order of their names. Safe from every thread.
  [[nodiscard]] std::vector<StorageNode> all() const;

  [[nodiscard]] std::string name() const override { return "nodes"; }
  [[nodiscard]] std::string path() const override;
  [[nodiscard]] bool wants_only_metadata() const override { return true; }

  void begin_list() override { listed_.clear(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override;
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  // By metadata.name.
  using Nodes = std::map<std::string, StorageNode>;

  void add(const nlohmann::json& object, Nodes& nodes) const;

  const Driver driver_;
  mutable std::mutex mutex_;
  Nodes nodes_;
  // Only the reflector's thread uses it.
  Nodes listed_;
};

}  // namespace lvmd::controller::kube
