// The server's connection to the observer of one volume group: receives its states and steps, and
// announces the changes of the group's worker.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "internal/control.pb.h"
#include "lvmd/base/clock.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/state_stream.hpp"
#include "lvmd/volumes/service/current_step.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// One thread, except is_attached(), step() and announce_change(), which are thread-safe. While no
// observer is attached, the last state is served.
class ObserverClient {
 public:
  // `changed` is called after an observer was attached or lost, and after a stuck step has ended;
  // `step_begun` after a step was announced. Both run on the reading thread or the thread that
  // attaches.
  ObserverClient(std::string volume_group, ReadModel& read_model, std::function<void()> changed,
                 std::function<void()> step_begun)
      : volume_group_(std::move(volume_group)),
        read_model_(read_model),
        changed_(std::move(changed)),
        step_begun_(std::move(step_begun)) {}
  ObserverClient(const ObserverClient&) = delete;
  ObserverClient& operator=(const ObserverClient&) = delete;
  ~ObserverClient() { detach(); }

  // Replaces the observer and reads from its channel.
  void attach(ipc::Channel channel);
  void detach();
  [[nodiscard]] bool is_attached() const { return attached_; }
  // The step that the observer has announced; absent: none.
  [[nodiscard]] std::optional<Step> step() const { return step_.current(); }

  // The worker begins a change: makes the observer postpone its reading. Sends at most five
  // messages a second, so that the channel to an observer that hangs does not become full.
  void announce_change();

 private:
  void read_events();
  void handle(const internal::ObserverEvent& event);
  void take_state(const internal::VgState& state);
  void end_step();

  const std::string volume_group_;
  ReadModel& read_model_;
  const std::function<void()> changed_;
  const std::function<void()> step_begun_;
  CurrentStep step_;
  std::atomic<bool> attached_ = false;
  // Protects the sending side of the channel.
  std::mutex mutex_;
  ipc::Channel channel_;
  ipc::StateReader states_;
  MonotonicTime announced_;
  std::thread reader_;
};

}  // namespace lvmd::volumes
