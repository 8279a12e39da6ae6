// The SnapshotBackupStorages of one namespace, as the watch last reported them. Safe from every
// thread; `changed` is called without a lock held.
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

class BackupLocationCache {
 public:
  using Locations = std::map<std::string, BackupLocation>;

  explicit BackupLocationCache(std::function<void()> changed) : changed_(std::move(changed)) {}

  void put(BackupLocation location);
  void erase(const std::string& name);
  // Objects that are not in `storages` are removed.
  void replace(Locations backup_locations);

  [[nodiscard]] std::vector<BackupLocation> all() const;

 private:
  std::function<void()> changed_;
  mutable std::mutex mutex_;
  Locations backup_locations_;
};

class BackupLocationHandler final : public ResourceHandler {
 public:
  // `cache` must outlive it.
  BackupLocationHandler(std::string namespace_name, BackupLocationCache& cache)
      : namespace_(std::move(namespace_name)), cache_(cache) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string path() const override;

  void begin_list() override { listed_.clear(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override { cache_.replace(std::exchange(listed_, {})); }
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  const std::string namespace_;
  BackupLocationCache& cache_;
  BackupLocationCache::Locations listed_;
};

}  // namespace lvmd::reconciler::kube
