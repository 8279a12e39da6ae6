// The SnapshotBackupStorages of one namespace, as the watch last reported them.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reconciler/kube/resource_handler.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler::kube {

class BackupLocationHandler final : public ResourceHandler {
 public:
  // Calls `changed` after each change, without a lock held.
  BackupLocationHandler(std::string namespace_name, std::function<void()> changed)
      : namespace_(std::move(namespace_name)), changed_(std::move(changed)) {}

  // Safe from every thread.
  [[nodiscard]] std::vector<BackupLocation> all() const;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string path() const override;

  void begin_list() override { listed_.clear(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override;
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  using Locations = std::map<std::string, BackupLocation>;

  const std::string namespace_;
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  Locations backup_locations_;
  // Only the reflector's thread uses it.
  Locations listed_;
};

}  // namespace lvmd::reconciler::kube
