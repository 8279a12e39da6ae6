#include "reconciler/kube/event_aggregator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lvmd::reconciler::kube {
namespace {

// 253 characters less a dot and sixteen digits.
constexpr std::size_t kMaxPrefix = 236;

// A unique name that begins with the object's name, for people.
std::string name_for(const LogicalVolume& object, EventSeries::Time now) {
  std::string prefix = object.key.name.substr(0, kMaxPrefix);
  while (!prefix.empty() && std::isalnum(static_cast<unsigned char>(prefix.back())) == 0)
    prefix.pop_back();
  return fmt::format("{}.{:016x}", prefix, now.time_since_epoch().count());
}

}  // namespace

std::optional<EventSeries> EventAggregator::note(const LogicalVolume& object, const Event& event,
                                                 Time now) {
  const Kind kind{object.uid, event.reason};
  const auto known = series_.find(kind);
  if (known == series_.end() || now - known->second.last >= kForgotten) {
    make_room(now);
    EventSeries& made = series_[kind];
    made = {.name = name_for(object, now), .first = now, .last = now};
    EventSeries first = made;
    made.exists = true;
    return first;
  }
  EventSeries& series = known->second;
  ++series.count;
  if (now - series.last < kQuiet) return std::nullopt;
  series.last = now;
  return series;
}

void EventAggregator::forget(const LogicalVolume& object, const Event& event) {
  series_.erase({object.uid, event.reason});
}

void EventAggregator::make_room(Time now) {
  std::erase_if(series_, [&](const auto& entry) { return now - entry.second.last >= kForgotten; });
  if (series_.size() < kMaxSeries) return;
  series_.erase(
      std::ranges::min_element(series_, {}, [](const auto& entry) { return entry.second.last; }));
}

}  // namespace lvmd::reconciler::kube
