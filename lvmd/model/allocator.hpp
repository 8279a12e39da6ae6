// One run of the simulated allocator. Use it through allocation.hpp.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "lvmd/model/allocation.hpp"

namespace lvmd::model {

class Allocator {
 public:
  // `metadata`: the RAID metadata in front of the data of each area, in extents.
  Allocator(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents metadata);

  // Allocates areas for `extents` of the volume, or as many as possible. Call it once.
  void allocate(Extents extents);

  // The allocated extents of the volume.
  [[nodiscard]] Extents allocated() const;
  // The longest area that is still free.
  [[nodiscard]] Extents longest_area_left() const;

 private:
  // LVM keeps the areas of a PV in a list, the longest first. It moves an area when its length
  // changes, even while it iterates over the list.
  struct Area {
    std::uint64_t length;
    // Less than length if the present step has reserved a part.
    std::uint64_t left;
  };
  using Areas = std::list<Area>;
  struct Slot {
    std::size_t pv = 0;
    Areas::iterator area;
    // The usable part of the area.
    std::uint64_t usable = 0;
    bool filled = false;
  };
  // One step of a policy.
  struct Step {
    // Take only PVs that already have a part of the volume.
    bool cling = false;
    // Continue each slot on one of its own PVs.
    bool by_slot = false;
  };
  enum class Use : std::uint8_t { kNextPv, kNextArea, kTake, kTakenBySlot };

  void run_policy(AllocationPolicy policy);
  // False if there is no set of areas.
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
  // The number of slots filled by position, and of slots found after these.
  std::size_t filled_by_slot_ = 0;
  std::size_t found_ = 0;
  // For each data slot and PV: true if the PV has a part of the slot.
  std::vector<std::vector<bool>> parts_;
  // As in LVM, both include the metadata once per stripe.
  std::uint64_t wanted_ = 0;
  std::uint64_t allocated_ = 0;
  bool metadata_taken_ = false;
  bool failed_ = false;
};

}  // namespace lvmd::model
