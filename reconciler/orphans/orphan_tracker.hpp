// Volumes without an object, and objects without their volume. Rules: R-LEDG-*.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "reconciler/model/inventory.hpp"

namespace lvmd::reconciler {

class OrphanTracker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Orphan {
    ListedVolume volume;
    // When the volume was first seen without an object, without interruption since.
    Time since;
  };

  // Compares. `claims` must be complete and read after the inventory. Then a volume that is created
  // meanwhile is in neither, and one that is removed meanwhile is an orphan until the next
  // comparison at most.
  void update(const Inventory& inventory, const std::vector<Claim>& claims, Time now);

  // By path.
  [[nodiscard]] const std::map<std::string, Orphan>& orphans() const { return orphans_; }

  // The objects whose volume was created once and does not exist, although its class was listed
  // [R-LEDG-2].
  [[nodiscard]] const std::vector<Claim>& missing() const { return missing_; }

  // The orphans that may be removed: with the owner mark `owner`, and without an object for at
  // least `grace`. None while there is no object, or when `owner` is empty [R-LEDG-5].
  [[nodiscard]] std::vector<ListedVolume> removable(Time now, std::chrono::milliseconds grace,
                                                    const std::string& owner) const;

 private:
  std::map<std::string, Orphan> orphans_;
  std::vector<Claim> missing_;
  bool has_objects_ = false;
};

}  // namespace lvmd::reconciler
