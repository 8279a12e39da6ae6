// The server's side of one volume group's worker: the queue of its changes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "internal/worker.pb.h"
#include "lvmd/base/clock.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/volumes/service/current_step.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// More changes than this never wait for one group [P-SOCK-24].
inline constexpr std::size_t kMaxQueuedChanges = 1024;

// The volume after a change; absent after a removal.
using ChangeOutcome = Result<std::optional<model::LogicalVolume>>;

// Thread-safe, but attach() and the destructor are for one thread. Callbacks run on the thread that
// reads the worker's channel, or on the caller's when submit() refuses; never with a lock held.
class WorkerClient {
 public:
  using Callback = std::function<void(const ChangeOutcome&)>;

  // `observer` is what the group's observer does now: while it is stuck, changes are refused.
  // `changed` is called after the worker was attached or lost, and after a stuck step has ended;
  // `step_begun` after a step was announced.
  struct Callbacks {
    std::function<std::optional<Step>()> observer;
    std::function<void()> changed;
    std::function<void()> step_begun;
  };
  WorkerClient(std::string volume_group, ReadModel& read_model, server::Metrics& metrics,
               Callbacks callbacks);
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;
  ~WorkerClient() { detach(); }

  [[nodiscard]] const std::string& volume_group() const { return volume_group_; }

  // Talks to this worker from now on. What waited for the one before it has failed when this
  // returns.
  void attach(ipc::Channel channel);
  // Ends the channel; changes that still wait have failed with Unavailable when this returns.
  void detach();
  // The same, because lvmd stops: `why` says so, and is what the changes fail with.
  void end(const Error& why);
  [[nodiscard]] bool is_attached() const;
  // Changes that wait or run.
  [[nodiscard]] std::size_t queued() const;
  // What the worker does now, if it can take long.
  [[nodiscard]] std::optional<Step> step() const { return step_.current(); }

  // The group can be used again: the worker finishes what was left half done. A worker that has a
  // change to make does so by itself.
  void recover();

  // Calls `done` exactly once. The state that the change led to is in the read model before that
  // [P-RUN-3]. A request that equals one that waits or runs joins it: both get one answer.
  // Unavailable, at once, without a worker or while it is stuck. `request` needs no id; `what`
  // names it for people
  // ("CreateLV vg0/pvc-1").
  void submit(internal::WorkerRequest request, std::string what, Callback done);

 private:
  struct Change {
    std::string key;
    std::string what;
    internal::WorkerRequest request;
    std::vector<Callback> waiters;
    MonotonicTime submitted;
    // To the worker; of the front alone.
    MonotonicTime sent;
  };

  void read_events();
  void handle(const internal::WorkerEvent& event);
  void handle_reply(const internal::WorkerReply& reply);
  void take_state(const internal::VgState& state);
  void apply_hidden(const internal::HiddenVolumes& hidden);
  // The step that was announced, if any, has ended.
  void end_step();
  void fail_all(const std::string& why);
  void send_first();
  // What a change is answered with that the worker hadn't done when its channel ended.
  [[nodiscard]] Error not_done(const Change& change, const std::string& why) const;
  [[nodiscard]] Status check_ready(const std::optional<Step>& observer) const;

  const std::string volume_group_;
  ReadModel& read_model_;
  server::Metrics& metrics_;
  const Callbacks callbacks_;

  mutable std::mutex mutex_;
  ipc::Channel channel_;
  bool attached_ = false;
  // Set by end().
  std::optional<Error> ended_;
  // The front is with the worker, the rest waits here: the worker reads its channel only between
  // two changes, and so a send never blocks.
  std::deque<Change> queue_;
  std::uint64_t last_id_ = 0;
  CurrentStep step_;
  std::thread reader_;
};

}  // namespace lvmd::volumes
