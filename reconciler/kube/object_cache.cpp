#include "reconciler/kube/object_cache.hpp"

#include <ranges>
#include <set>

namespace lvmd::reconciler::kube {

void ObjectCache::put(const LogicalVolume& object) {
  if (object.spec.node_name != node_name_) {
    erase(object.key);
    return;
  }
  {
    const std::lock_guard lock{mutex_};
    objects_[object.key] = object;
  }
  changed_(object.key);
}

void ObjectCache::erase(const Key& key) {
  {
    const std::lock_guard lock{mutex_};
    if (objects_.erase(key) == 0) return;
  }
  changed_(key);
}

void ObjectCache::replace(Group group, const std::vector<LogicalVolume>& objects) {
  std::set<Key> gone;
  for (const Key& key : keys())
    if (key.group == group) gone.insert(key);
  for (const LogicalVolume& object : objects) {
    gone.erase(object.key);
    put(object);
  }
  for (const Key& key : gone) erase(key);
}

std::vector<Key> ObjectCache::keys() const {
  const std::lock_guard lock{mutex_};
  const auto keys = std::views::keys(objects_);
  return {keys.begin(), keys.end()};
}

std::vector<Claim> ObjectCache::claims() const {
  const std::lock_guard lock{mutex_};
  std::vector<Claim> claims;
  claims.reserve(objects_.size());
  for (const auto& [key, object] : objects_)
    claims.push_back(
        {.key = key,
         .uid = object.uid,
         .device_class = object.spec.device_class,
         .vg_name = object.spec.vg_name,
         .has_volume = has_volume(object) && !object.removal_wanted && !is_stored(object)});
  return claims;
}

std::optional<LogicalVolume> ObjectCache::get(const Key& key) const {
  const std::lock_guard lock{mutex_};
  const auto object = objects_.find(key);
  if (object == objects_.end()) return std::nullopt;
  return object->second;
}

}  // namespace lvmd::reconciler::kube
