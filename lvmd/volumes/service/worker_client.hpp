// The server's connection to the worker of one volume group: the queue of its changes.
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
#include "lvmd/ipc/state_stream.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/volumes/service/current_step.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// The limit of queued changes per volume group [P-SOCK-24].
inline constexpr std::size_t kMaxQueuedChanges = 1024;

// The volume after a change; absent after a removal.
using ChangeOutcome = Result<std::optional<model::LogicalVolume>>;

// Thread-safe, except that attach() and the destructor belong to one thread. Callbacks run on the
// thread that reads the worker's channel, or on the caller's when submit() refuses; never with a
// lock held.
class WorkerClient {
 public:
  using Callback = std::function<void(const ChangeOutcome&)>;

  // `observer` returns the step of the group's observer: while it is stuck, changes are refused.
  // `change_begun` is called when the worker gets a change.
  // `changed` is called after the worker was attached or lost, and after a stuck step has ended;
  // `step_begun` after a step was announced.
  struct Callbacks {
    std::function<std::optional<Step>()> observer;
    std::function<void()> change_begun;
    std::function<void()> changed;
    std::function<void()> step_begun;
  };
  WorkerClient(std::string volume_group, ReadModel& read_model, server::Metrics& metrics,
               Callbacks callbacks);
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;
  ~WorkerClient() { detach(); }

  [[nodiscard]] const std::string& volume_group() const { return volume_group_; }

  // Replaces the worker. All changes sent to or queued for the previous worker have failed when
  // this returns.
  void attach(ipc::Channel channel);
  // Ends the channel. Changes that wait have failed with Unavailable when this returns.
  void detach();
  // As detach(), because lvmd stops: changes fail with `why`.
  void end(const Error& why);
  [[nodiscard]] bool is_attached() const;
  // The number of changes that wait or run.
  [[nodiscard]] std::size_t queued() const;
  // The step that the worker has announced; absent: none.
  [[nodiscard]] std::optional<Step> step() const { return step_.current(); }

  // Makes the worker finish interrupted changes, because the group has become usable. A worker with
  // a queued change does so without this call.
  void recover();

  // Queues the change and calls `done` exactly once. The state after the change is in the read
  // model before that [P-RUN-3]. A request that equals a queued or running one shares its result.
  // Fails at once with Unavailable without a worker or while it is stuck. The id of `request` is
  // ignored; `what` describes the change in messages ("CreateLV vg0/pvc-1").
  void submit(internal::WorkerRequest request, std::string what, Callback done);

 private:
  struct Change {
    std::string key;
    std::string what;
    internal::WorkerRequest request;
    std::vector<Callback> waiters;
    MonotonicTime submitted;
    // When it was sent to the worker. Set for the front only.
    MonotonicTime sent;
  };

  void read_events();
  void handle(const internal::WorkerEvent& event);
  void handle_reply(const internal::WorkerReply& reply);
  void take_state(const internal::VgState& state);
  void apply_hidden(const internal::HiddenVolumes& hidden);
  // The announced step, if any, has ended.
  void end_step();
  void fail_all(const std::string& why);
  void send_first();
  // The error for a change that was not finished when the worker's channel ended.
  [[nodiscard]] Error not_done(const Change& change, const std::string& why) const;
  [[nodiscard]] Status check_ready(const std::optional<Step>& observer) const;

  const std::string volume_group_;
  ReadModel& read_model_;
  server::Metrics& metrics_;
  const Callbacks callbacks_;

  mutable std::mutex mutex_;
  ipc::Channel channel_;
  ipc::StateReader states_;
  bool attached_ = false;
  // Set by end().
  std::optional<Error> ended_;
  // The front was sent to the worker, the rest waits here: the worker reads its channel only
  // between two changes, so that a send never blocks.
  std::deque<Change> queue_;
  std::uint64_t last_id_ = 0;
  CurrentStep step_;
  std::thread reader_;
};

}  // namespace lvmd::volumes
