// One run of LVM's allocator for a new volume; allocation.hpp is its front.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "lvmd/model/allocation.hpp"

namespace lvmd::model {

class Allocator {
 public:
  // `metadata` is what each area has in front of its data (RAID metadata), in extents.
  Allocator(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents metadata);

  // Takes areas for `extents` of volume, or as many as it can get. Call it once.
  void allocate(Extents extents);

  // Extents of the volume that were found.
  [[nodiscard]] Extents allocated() const;
  // The longest area that is still free.
  [[nodiscard]] Extents longest_area_left() const;

 private:
  // LVM keeps the areas of a PV in a list with the longest first, and moves one when its length
  // changes, also while it walks along the list.
  struct Area {
    std::uint64_t length;
    // Less than length while a part is set aside in the present step.
    std::uint64_t left;
  };
  using Areas = std::list<Area>;
  struct Slot {
    std::size_t pv = 0;
    Areas::iterator area;
    // How much of the area may be used.
    std::uint64_t usable = 0;
    bool filled = false;
  };
  // What is tried in this step of a policy.
  struct Step {
    // Only PVs that have a part of the volume already.
    bool cling = false;
    // Each slot goes on on one of its own PVs.
    bool by_slot = false;
  };
  enum class Use : std::uint8_t { kNextPv, kNextArea, kTake, kTakenBySlot };

  void run_policy(AllocationPolicy policy);
  // False when no set of areas was found.
  bool take_one_set(Step step);
  bool find_areas(Step step);
  void offer_areas_of(std::size_t pv, Step step);
  Use judge(std::size_t pv, Areas::iterator area, Step step, bool found_one);
  bool clings(std::size_t pv, Areas::iterator area, bool by_slot);
  std::uint64_t set_aside(std::size_t pv, Areas::iterator area);
  bool take();
  void consume(const Slot& slot, std::uint64_t length);
  void put_back_unused();
  static void move_to_place(Areas& areas, Areas::iterator area, std::uint64_t length);
  [[nodiscard]] std::uint64_t missing() const { return wanted_ - allocated_; }

  const Layout& layout_;
  const std::uint64_t metadata_;
  std::vector<Areas> pvs_;
  std::vector<Slot> slots_;
  // Slots that were filled by position, and those found behind them.
  std::size_t filled_by_slot_ = 0;
  std::size_t found_ = 0;
  // Per data slot and PV: whether a part of the slot is there.
  std::vector<std::vector<bool>> parts_;
  // Both with a row's share of metadata for each stripe, as LVM counts.
  std::uint64_t wanted_ = 0;
  std::uint64_t allocated_ = 0;
  bool metadata_taken_ = false;
  bool failed_ = false;
};

}  // namespace lvmd::model
