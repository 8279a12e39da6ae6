// Volumes and objects beside each other: which of them have lost their counterpart. Rules:
// R-LEDG-*.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reconciler/model/inventory.hpp"

namespace lvmd::reconciler {

// The name could be that of a volume of ours: a UUID in lower case, as all of them are [R-LEDG-1].
[[nodiscard]] bool is_volume_name(std::string_view name);

class OrphanTracker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Orphan {
    ListedVolume volume;
    // Seen without an object ever since.
    Time since;
  };

  // Takes down how things are. `claims` must be complete, and read after the inventory: so a volume
  // that is made meanwhile is in neither, and one that is removed meanwhile is an orphan for a
  // moment at most.
  void update(const Inventory& inventory, const std::vector<Claim>& claims, Time now);

  // By path.
  [[nodiscard]] const std::map<std::string, Orphan>& orphans() const { return orphans_; }

  // The objects whose volume is not there, though it was made once and its class was listed
  // [R-LEDG-2].
  [[nodiscard]] const std::vector<Claim>& missing() const { return missing_; }

  // The orphans that may be removed: marked as those of `owner`, and without an object for at least
  // `grace`. None while there is no object at all, or `owner` is empty [R-LEDG-5].
  [[nodiscard]] std::vector<ListedVolume> removable(Time now, std::chrono::milliseconds grace,
                                                    const std::string& owner) const;

 private:
  std::map<std::string, Orphan> orphans_;
  std::vector<Claim> missing_;
  bool has_objects_ = false;
};

}  // namespace lvmd::reconciler
