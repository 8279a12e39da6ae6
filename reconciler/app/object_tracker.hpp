// The controller's data about each object between two reconciliations.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/object_progress.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
class ObjectTracker {
 public:
  // What is known of the object that the store shows as `shown`: where to continue, and how often
  // its current request has failed [R-FAIL-5]. A store may show a version from before the
  // reconciler's last write.
  [[nodiscard]] ObjectProgress of(const LogicalVolume& shown) const;

  // The objects whose creation or restore failed, and that have `source` as their source. They are
  // retried when the source changes [R-SRC-5].
  [[nodiscard]] std::vector<Key> waiting_for(const Key& source) const;

  // The number of objects in each phase, for all phases.
  [[nodiscard]] std::map<Phase, std::size_t> phases() const;
  // The number of objects in each state of status.csiStatus, for all states.
  [[nodiscard]] std::map<std::string, std::size_t> csi_states() const;

  void note(const ObjectProgress& progress);

  // The object was deleted. A store may still show it for a while: a reconciliation would create
  // its volume again [R-RUN-6].
  void note_gone(const LogicalVolume& object);
  [[nodiscard]] bool is_gone(const LogicalVolume& shown) const;

  // The store does not show the object any more.
  void forget(const Key& key);

 private:
  void erase(const Key& key);

  mutable std::mutex mutex_;
  std::map<Key, ObjectProgress> progress_;
  // By source. Each change of any object asks for it, so it must not take a search.
  std::map<Key, std::set<Key>> waiting_;
  // UIDs of deleted objects that the store may still show.
  std::map<Key, std::string> gone_;
};

}  // namespace lvmd::reconciler
