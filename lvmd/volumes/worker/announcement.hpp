// Reports a step that may take long, from its start to its end.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "lvmd/volumes/worker/event_sink.hpp"

namespace lvmd::volumes::worker {

// The time limit of reading the start and the end of a volume.
inline constexpr std::chrono::seconds kProbeLimit{10};

// `what` and `limit` as in WorkerEventSink::step_started().
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
