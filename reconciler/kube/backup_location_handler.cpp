#include "reconciler/kube/backup_location_handler.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reconciler/kube/backup_location_json.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

std::vector<BackupLocation> BackupLocationHandler::all() const {
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
  const auto location = location_from_json(object);
  if (!location) return std::unexpected(location.error());
  listed_[location->name.name] = *location;
  return {};
}

void BackupLocationHandler::end_list() {
  {
    const std::lock_guard lock{mutex_};
    backup_locations_ = std::exchange(listed_, {});
  }
  changed_();
}

Status BackupLocationHandler::put(const nlohmann::json& object) {
  const auto location = location_from_json(object);
  if (!location) return std::unexpected(location.error());
  {
    const std::lock_guard lock{mutex_};
    backup_locations_[location->name.name] = *location;
  }
  changed_();
  return {};
}

Status BackupLocationHandler::erase(const nlohmann::json& object) {
  const auto location = location_from_json(object);
  if (!location) return std::unexpected(location.error());
  {
    const std::lock_guard lock{mutex_};
    backup_locations_.erase(location->name.name);
  }
  changed_();
  return {};
}

}  // namespace lvmd::reconciler::kube
