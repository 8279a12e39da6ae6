// The objects of this node, as the watches last reported them. Only the reflectors fill it: the
// response to a write may be older than the last report of a watch. Safe from every thread;
// `changed` is called without a lock held.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler::kube {

class ObjectCache {
 public:
  explicit ObjectCache(std::string node_name) : node_name_(std::move(node_name)) {}

  // Call it before the first put().
  void on_change(VolumeStore::Changed changed) { changed_ = std::move(changed); }

  // An object of another node is removed [R-NODE-1].
  void put(const LogicalVolume& object);
  void erase(const Key& key);

  // Objects that are not in `objects` are removed [R-KUBE-3].
  void replace(Group group, const std::vector<LogicalVolume>& objects);

  [[nodiscard]] std::vector<Key> keys() const;
  [[nodiscard]] std::vector<Claim> claims() const;
  [[nodiscard]] std::optional<LogicalVolume> get(const Key& key) const;

 private:
  std::string node_name_;
  VolumeStore::Changed changed_;
  mutable std::mutex mutex_;
  std::map<Key, LogicalVolume> objects_;
};

}  // namespace lvmd::reconciler::kube
