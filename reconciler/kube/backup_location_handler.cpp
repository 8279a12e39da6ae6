#include "reconciler/kube/backup_location_handler.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reconciler/kube/backup_location_json.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

void StorageCache::put(BackupStorage storage) {
  {
    const std::lock_guard lock{mutex_};
    std::string name = storage.name.name;
    storages_.insert_or_assign(std::move(name), std::move(storage));
  }
  changed_();
}

void StorageCache::erase(const std::string& name) {
  {
    const std::lock_guard lock{mutex_};
    storages_.erase(name);
  }
  changed_();
}

void StorageCache::replace(Storages storages) {
  {
    const std::lock_guard lock{mutex_};
    storages_ = std::move(storages);
  }
  changed_();
}

std::vector<BackupStorage> StorageCache::all() const {
  const std::lock_guard lock{mutex_};
  std::vector<BackupStorage> storages;
  for (const auto& [name, storage] : storages_) storages.push_back(storage);
  return storages;
}

std::string StorageCollection::name() const {
  return fmt::format("snapshotbackupstorages in {}", scope_);
}

std::string StorageCollection::path() const { return storages_path(scope_); }

Status StorageCollection::add_listed(const nlohmann::json& object) {
  auto storage = storage_from_json(object);
  if (!storage) return std::unexpected(std::move(storage.error()));
  std::string name = storage->name.name;
  listed_.insert_or_assign(std::move(name), std::move(*storage));
  return {};
}

Status StorageCollection::put(const nlohmann::json& object) {
  auto storage = storage_from_json(object);
  if (!storage) return std::unexpected(std::move(storage.error()));
  cache_.put(std::move(*storage));
  return {};
}

Status StorageCollection::erase(const nlohmann::json& object) {
  const auto storage = storage_from_json(object);
  if (!storage) return std::unexpected(storage.error());
  cache_.erase(storage->name.name);
  return {};
}

}  // namespace lvmd::reconciler::kube
