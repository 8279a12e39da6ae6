// Volumes that were made before this store marked them, or for another one, get their owner mark.
#pragma once

#include <stop_token>
#include <vector>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/inventory.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler {

// Marks every volume of `inventory` that one of `claims` has for its volume and that is not marked
// as this store's: at most 20 in one go, because each is a change of LVM's metadata [R-LEDG-7]. A
// volume whose object is given up meanwhile has no mark afterwards. What fails is logged, and is
// done by the next go.
void mark_owned(VolumeStore& store, VolumeService& service, const Inventory& inventory,
                const std::vector<Claim>& claims, const std::stop_token& stop);

}  // namespace lvmd::reconciler
