// The objects of this node as the watches last told.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler::kube {

// Fed by the followers alone: an answer to a write may be older than what a watch told meanwhile.
// Safe from every thread; `changed` is called without a lock held.
class ObjectCache {
 public:
  explicit ObjectCache(std::string node_name) : node_name_(std::move(node_name)) {}

  // Before anything is put in.
  void on_change(VolumeStore::Changed changed) { changed_ = std::move(changed); }

  // An object of another node is as good as gone [R-NODE-1].
  void put(const LogicalVolume& object);
  void erase(const Key& key);

  // What isn't among `objects` is forgotten [R-KUBE-3].
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
