// Which writes of a status are reported as events.
#pragma once

#include <optional>

#include "reconciler/model/event.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// The event for the change from `before` to the status `after`: a volume was created or grown, or a
// new failure [R-EVENT-1]. Absent for all other changes.
[[nodiscard]] std::optional<Event> event_of(const LogicalVolume& before, const VolumeStatus& after);

// The object is deleted, with or without its volume [R-EVENT-1].
[[nodiscard]] Event deleted_event(const LogicalVolume& object);
[[nodiscard]] Event abandoned_event(const LogicalVolume& object);

}  // namespace lvmd::reconciler
