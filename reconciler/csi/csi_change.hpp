// Which CSI status an object gets, and the event for its change. Rules: R-CSI-*.
#pragma once

#include <optional>

#include "reconciler/csi/use_table.hpp"
#include "reconciler/model/csi_status.hpp"
#include "reconciler/model/event.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

struct CsiChange {
  // What status.csi becomes. Absent: the fields do not exist.
  std::optional<CsiStatus> status{};
  // Present when the state changes.
  std::optional<Event> event{};
};

// Pure. `object` has the present status; `next` is the status that is about to be written, without
// regard to its CSI part, and may be the present one. `removed`: RemoveLV found no volume any more.
// An absent `use` leaves the CSI status as it is, and so does an object that the reconciler does
// not touch [R-OBJ-5, R-PLAN-2].
//
// Writing the result changes nothing: after it, the same arguments lead to the same status.
[[nodiscard]] CsiChange csi_change(const LogicalVolume& object, const VolumeStatus& next,
                                   bool removed, const std::optional<CsiUse>& use);

}  // namespace lvmd::reconciler
