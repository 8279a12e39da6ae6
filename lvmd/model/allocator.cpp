#include "lvmd/model/allocator.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lvmd::model {

Allocator::Allocator(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents metadata)
    : layout_(layout), metadata_(metadata.value), metadata_taken_(metadata.value == 0) {
  for (const FreeAreas& free : pvs) {
    Areas& areas = pvs_.emplace_back();
    for (const Extents length : free) {
      if (length.value == 0) continue;
      areas.push_back({.length = length.value, .left = length.value});
      move_to_place(areas, std::prev(areas.end()), length.value);
    }
  }
  parts_.assign(layout_.areas(), std::vector<bool>(pvs_.size()));
  slots_.resize(2 * std::max<std::size_t>(pvs_.size(), layout_.areas()));
}

void Allocator::allocate(Extents extents) {
  wanted_ = extents.value + metadata_ * layout_.stripes;
  for (const AllocationPolicy policy :
       {AllocationPolicy::kContiguous, AllocationPolicy::kCling, AllocationPolicy::kNormal}) {
    if (policy > layout_.policy || failed_ || missing() == 0) return;
    run_policy(policy);
  }
}

Extents Allocator::allocated() const {
  const std::uint64_t metadata = metadata_ * layout_.stripes;
  return {failed_ || allocated_ < metadata ? 0 : allocated_ - metadata};
}

Extents Allocator::longest_area_left() const {
  std::uint64_t longest = 0;
  for (const Areas& areas : pvs_)
    if (!areas.empty()) longest = std::max(longest, areas.front().length);
  return {longest};
}

void Allocator::run_policy(AllocationPolicy policy) {
  const bool is_normal = policy == AllocationPolicy::kNormal;
  Step step{.cling = policy != AllocationPolicy::kContiguous,
            .by_slot = policy == AllocationPolicy::kCling};
  do {
    const bool found = take_one_set(step);
    // "normal" first tries the PVs that already have a part of the volume. If they have no space
    // left, it takes another PV and then continues with the PVs in use.
    if (!found && !(is_normal && step.cling)) return;
    if (is_normal) step.cling = found;
  } while (policy != AllocationPolicy::kContiguous && !failed_ && missing() > 0);
}

bool Allocator::take_one_set(Step step) {
  for (Slot& slot : slots_) slot.filled = false;
  put_back_unused();
  return find_areas(step) && take();
}

bool Allocator::find_areas(Step step) {
  filled_by_slot_ = 0;
  found_ = 0;
  const std::size_t data_slots = std::size_t{layout_.stripes} * layout_.copies;
  for (std::size_t pv = 0; pv < pvs_.size(); ++pv) {
    offer_areas_of(pv, step);
    if (step.by_slot && filled_by_slot_ == data_slots && layout_.parity == 0) break;
  }
  if (filled_by_slot_ + found_ < layout_.areas()) return false;
  // Each PV has at most one slot, so the order is total.
  const auto longer = [](const Slot& a, const Slot& b) {
    return a.usable != b.usable ? a.usable > b.usable : a.pv < b.pv;
  };
  if (!step.by_slot)
    std::sort(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(found_), longer);
  return true;
}

void Allocator::offer_areas_of(std::size_t pv, Step step) {
  bool found_one = false;
  for (auto area = pvs_[pv].begin(); area != pvs_[pv].end(); ++area) {
    switch (judge(pv, area, step, found_one)) {
      case Use::kTakenBySlot:
        ++filled_by_slot_;
        return;
      case Use::kNextPv:
        return;
      case Use::kNextArea:
        break;
      case Use::kTake:
        // A later area of the PV replaces an earlier one.
        if (!found_one) ++found_;
        found_one = true;
        slots_[found_ - 1] = {
            .pv = pv, .area = area, .usable = set_aside(pv, area), .filled = true};
        break;
    }
  }
}

Allocator::Use Allocator::judge(std::size_t pv, Areas::iterator area, Step step, bool found_one) {
  if (area->left == 0) return Use::kNextArea;
  if (step.cling) {
    if (!clings(pv, area, step.by_slot)) return Use::kNextPv;
    return step.by_slot ? Use::kTakenBySlot : Use::kTake;
  }
  const bool may_split = layout_.policy != AllocationPolicy::kContiguous;
  const bool is_enough = area->left * layout_.stripes >= missing();
  return !is_enough && (!may_split || found_one) ? Use::kNextPv : Use::kTake;
}

bool Allocator::clings(std::size_t pv, Areas::iterator area, bool by_slot) {
  const std::size_t data_slots = std::size_t{layout_.stripes} * layout_.copies;
  for (std::size_t slot = 0; slot < data_slots; ++slot) {
    if (!parts_[slot][pv] || (by_slot && slots_[slot].filled)) continue;
    if (by_slot) slots_[slot] = {.pv = pv, .area = area, .usable = area->length, .filled = true};
    return true;
  }
  return false;
}

std::uint64_t Allocator::set_aside(std::size_t pv, Areas::iterator area) {
  const std::uint64_t wanted = std::max(missing() / layout_.stripes, metadata_);
  if (wanted >= area->left) return std::exchange(area->left, 0);
  area->left -= wanted;
  move_to_place(pvs_[pv], area, area->left);
  return wanted;
}

bool Allocator::take() {
  std::uint64_t length = missing() / layout_.stripes;
  for (std::size_t i = 0; i < layout_.areas(); ++i) length = std::min(length, slots_[i].usable);
  const std::uint64_t metadata = metadata_taken_ ? 0 : metadata_;
  // Here LVM fails: it does not search for a longer area for the metadata.
  failed_ = length < metadata;
  if (failed_) return false;
  for (std::size_t i = 0; i < layout_.areas(); ++i) {
    consume(slots_[i], length);
    if (length > metadata) parts_[i][slots_[i].pv] = true;
  }
  metadata_taken_ = true;
  allocated_ += length * layout_.stripes;
  return length > 0;
}

void Allocator::consume(const Slot& slot, std::uint64_t length) {
  Areas& areas = pvs_[slot.pv];
  if (slot.area->length == length) {
    areas.erase(slot.area);
    return;
  }
  slot.area->length -= length;
  slot.area->left = slot.area->length;
  move_to_place(areas, slot.area, slot.area->length);
}

void Allocator::put_back_unused() {
  for (Areas& areas : pvs_)
    for (auto area = areas.begin(); area != areas.end(); ++area) {
      if (area->left == area->length) continue;
      area->left = area->length;
      move_to_place(areas, area, area->length);
    }
}

// Moves the area behind all areas that are at least as long. The order of equally long areas has
// no influence on the result.
void Allocator::move_to_place(Areas& areas, Areas::iterator area, std::uint64_t length) {
  const auto next = std::next(area);
  const bool first_fits = area == areas.begin() || std::prev(area)->length >= length;
  if (first_fits && (next == areas.end() || next->length <= length)) return;
  auto place = areas.begin();
  while (place != areas.end() && (place == area || place->length >= length)) ++place;
  areas.splice(place, areas, area);
}

}  // namespace lvmd::model
