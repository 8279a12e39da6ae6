#include "reconciler/kube/backup_location_handler.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reconciler/kube/backup_location_json.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

void BackupLocationCache::put(BackupLocation location) {
  {
    const std::lock_guard lock{mutex_};
    std::string name = location.name.name;
    backup_locations_.insert_or_assign(std::move(name), std::move(location));
  }
  changed_();
}

void BackupLocationCache::erase(const std::string& name) {
  {
    const std::lock_guard lock{mutex_};
    backup_locations_.erase(name);
  }
  changed_();
}

void BackupLocationCache::replace(Locations backup_locations) {
  {
    const std::lock_guard lock{mutex_};
    backup_locations_ = std::move(backup_locations);
  }
  changed_();
}

std::vector<BackupLocation> BackupLocationCache::all() const {
  const std::lock_guard lock{mutex_};
  std::vector<BackupLocation> backup_locations;
  for (const auto& [name, location] : backup_locations_) backup_locations.push_back(location);
  return backup_locations;
}

std::string BackupLocationHandler::name() const {
  return fmt::format("snapshotbackupstorages in {}", namespace_);
}

std::string BackupLocationHandler::path() const { return backup_locations_path(namespace_); }

Status BackupLocationHandler::add_listed(const nlohmann::json& object) {
  auto location = location_from_json(object);
  if (!location) return std::unexpected(std::move(location.error()));
  std::string name = location->name.name;
  listed_.insert_or_assign(std::move(name), std::move(*location));
  return {};
}

Status BackupLocationHandler::put(const nlohmann::json& object) {
  auto location = location_from_json(object);
  if (!location) return std::unexpected(std::move(location.error()));
  cache_.put(std::move(*location));
  return {};
}

Status BackupLocationHandler::erase(const nlohmann::json& object) {
  const auto location = location_from_json(object);
  if (!location) return std::unexpected(location.error());
  cache_.erase(location->name.name);
  return {};
}

}  // namespace lvmd::reconciler::kube
