// Decides which events are sent, and joins events of one kind into one Event object with a count.
// Rules: R-EVENT-*.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "reconciler/model/event.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// One Event object of the API.
struct EventSeries {
  using Time = std::chrono::system_clock::time_point;

  // metadata.name.
  std::string name;
  Time first;
  Time last;
  std::uint32_t count = 1;
  // The object was created. Later events change it.
  bool exists = false;
};

class EventAggregator {
 public:
  using Time = EventSeries::Time;

  // The least time between two writes of one series.
  static constexpr std::chrono::seconds kQuiet{60};
  // The API server forgets events after an hour.
  static constexpr std::chrono::hours kForgotten{1};
  static constexpr std::size_t kMaxSeries = 1000;

  // The series to write for `event`. Absent: the event is only counted.
  [[nodiscard]] std::optional<EventSeries> note(const LogicalVolume& object, const Event& event,
                                                Time now);

  // The API server does not have the series any more: the next event of this kind begins a new one.
  void forget(const LogicalVolume& object, const Event& event);

 private:
  struct Kind {
    std::string uid;
    std::string reason;

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };

  void make_room(Time now);

  std::map<Kind, EventSeries> series_;
};

}  // namespace lvmd::reconciler::kube
