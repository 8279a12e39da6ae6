// Sets the owner mark of volumes that were created before marks existed, or for another store.
#pragma once

#include <stop_token>
#include <vector>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/inventory.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler {

// Marks every volume of `inventory` that is the volume of one of `claims` and does not have this
// store's mark: at most 20 at a time, because each is a change of LVM's metadata [R-LEDG-7]. A
// volume whose object is abandoned meanwhile has no mark afterwards. A failure is logged; the next
// call retries it.
void mark_owned(VolumeStore& store, VolumeService& service, const Inventory& inventory,
                const std::vector<Claim>& claims, const std::stop_token& stop);

}  // namespace lvmd::reconciler
