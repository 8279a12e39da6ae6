#include "reconciler/csi/use_table.hpp"

#include <map>
#include <utility>

namespace lvmd::reconciler {
namespace {

using Volumes = std::map<std::string, VolumeUse>;

void add_different(const Volumes& volumes, const Volumes& others, std::set<std::string>& names) {
  for (const auto& [name, use] : volumes)
    if (const auto other = others.find(name); other == others.end() || other->second != use)
      names.insert(name);
}

}  // namespace

UseTable::Changes UseTable::set(VolumeUses uses) {
  const std::lock_guard lock{mutex_};
  Changes changes;
  if (!newest_ || newest_->csi_driver.empty() != uses.csi_driver.empty()) {
    changes.are_all = true;
  } else {
    add_different(newest_->volumes, uses.volumes, changes.volumes);
    add_different(uses.volumes, newest_->volumes, changes.volumes);
  }
  newest_ = std::move(uses);
  return changes;
}

std::optional<CsiUse> UseTable::of(const std::string& volume) const {
  const std::lock_guard lock{mutex_};
  if (!newest_) return std::nullopt;
  CsiUse use{.is_enabled = !newest_->csi_driver.empty()};
  if (const auto found = newest_->volumes.find(volume); found != newest_->volumes.end())
    use.volume = found->second;
  return use;
}

bool UseTable::is_enabled() const {
  const std::lock_guard lock{mutex_};
  return newest_ && !newest_->csi_driver.empty();
}

}  // namespace lvmd::reconciler
