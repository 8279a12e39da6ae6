// Receives the worker's reports while it works.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::volumes::worker {

class WorkerEventSink {
 public:
  WorkerEventSink() = default;
  WorkerEventSink(const WorkerEventSink&) = delete;
  WorkerEventSink& operator=(const WorkerEventSink&) = delete;
  virtual ~WorkerEventSink() = default;

  // A step that may take long starts ("lvcreate vg0/pvc-1"), or has ended. After `limit` the group
  // is not serving; absent: no limit, because an LVM command may take hours.
  virtual void step_started(std::string_view what, std::optional<std::chrono::seconds> limit) = 0;
  virtual void step_ended() = 0;
  // From the return of this call, exactly these volumes are hidden from clients.
  virtual void hidden_changed(const std::vector<std::string>& volumes) = 0;
};

}  // namespace lvmd::volumes::worker
