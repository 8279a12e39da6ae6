// Tells of a step that can take long, for as long as it does.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "lvmd/volumes/worker/event_sink.hpp"

namespace lvmd::volumes::worker {

// What a look at the start and the end of a volume may take.
inline constexpr std::chrono::seconds kProbeLimit{10};

// `what` and `limit` as WorkerEventSink::step_started() takes them.
class Announcement {
 public:
  Announcement(WorkerEventSink& events, std::string_view what,
               std::optional<std::chrono::seconds> limit = std::nullopt)
      : events_(events) {
    events_.step_started(what, limit);
  }
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  ~Announcement() { events_.step_ended(); }

 private:
  WorkerEventSink& events_;
};

}  // namespace lvmd::volumes::worker
