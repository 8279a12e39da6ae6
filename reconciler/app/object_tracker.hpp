// How far each object has come: what stands between a change in the store and a pass.
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
  // What is known of an object that the store shows as `shown`: where to begin, and how often it
  // failed with what is wished now [R-FAIL-5]. A store may show what was before our own last write.
  [[nodiscard]] ObjectProgress of(const LogicalVolume& shown) const;

  // The objects that could not be made, or restored, and have `source` for their source: worth
  // another try when that changes [R-SRC-5].
  [[nodiscard]] std::vector<Key> waiting_for(const Key& source) const;

  // How many objects are in each phase; all phases are there.
  [[nodiscard]] std::map<Phase, std::size_t> phases() const;

  void note(const ObjectProgress& progress);

  // The object is no more. A store may show it for a while yet: acting on that would make its
  // volume again [R-RUN-6].
  void note_gone(const LogicalVolume& object);
  [[nodiscard]] bool is_gone(const LogicalVolume& shown) const;

  // The store doesn't show it any more either.
  void forget(const Key& key);

 private:
  mutable std::mutex mutex_;
  std::map<Key, ObjectProgress> progress_;
  // UIDs of objects that are no more, as long as they may be shown.
  std::map<Key, std::string> gone_;
};

}  // namespace lvmd::reconciler
