// Events of the core API, in the namespace default, which has the events of objects without a
// namespace [R-EVENT-3].
#pragma once

#include <string>

#include "reconciler/kube/event_aggregator.hpp"

namespace lvmd::reconciler::kube {

[[nodiscard]] std::string events_path();
[[nodiscard]] std::string event_path(const std::string& name);

[[nodiscard]] std::string new_event(const LogicalVolume& object, const Event& event,
                                    const EventSeries& series, const std::string& node_name);

// Count, time and the newest message.
[[nodiscard]] std::string event_patch(const Event& event, const EventSeries& series);

}  // namespace lvmd::reconciler::kube
