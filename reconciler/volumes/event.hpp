// Which writes of a status are worth telling.
#pragma once

#include <optional>

#include "reconciler/model/event.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// What a person would look for of the change from `before` to the status `after`: a volume made or
// grown, or a new failure [R-EVENT-1]. Absent for everything else.
[[nodiscard]] std::optional<Event> event_of(const LogicalVolume& before, const VolumeStatus& after);

// The object goes, with its volume or without [R-EVENT-1].
[[nodiscard]] Event deleted_event(const LogicalVolume& volume);
[[nodiscard]] Event abandoned_event(const LogicalVolume& volume);

}  // namespace lvmd::reconciler
