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
#include "lvmd/channel/channel.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/read_model.hpp"

namespace lvmd::server {

// An LVM command that runs longer than this makes new changes of its group fail at once
// [P-STATE-4].
inline constexpr std::chrono::seconds kStuckAfter{10};
// More changes than this never wait for one group [P-SOCK-24].
inline constexpr std::size_t kMaxQueuedChanges = 1024;

// The volume after a change; absent after a removal.
using ChangeOutcome = Result<std::optional<model::LogicalVolume>>;

// Thread-safe, but attach() and the destructor are for one thread. Callbacks run on the thread that
// reads the worker's channel, or on the caller's when submit() refuses; never with a lock held.
class WorkerClient {
 public:
  using Callback = std::function<void(const ChangeOutcome&)>;

  // `changed` is called after the worker was attached or lost.
  WorkerClient(std::string volume_group, ReadModel& read_model, Metrics& metrics,
               std::function<void()> changed);
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;
  ~WorkerClient() { detach(); }

  [[nodiscard]] const std::string& volume_group() const { return volume_group_; }

  // Talks to this worker from now on. What waited for the one before it has failed when this
  // returns.
  void attach(channel::Channel channel);
  // Ends the channel; changes that still wait have failed with Unavailable when this returns.
  void detach();
  [[nodiscard]] bool is_attached() const;
  // Changes that wait or run.
  [[nodiscard]] std::size_t queued() const;

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
  };
  struct RunningCommand {
    std::string command;
    MonotonicTime since;
  };

  void read_events();
  void handle(const internal::WorkerEvent& event);
  void handle_reply(const internal::WorkerReply& reply);
  void take_state(const internal::VgState& state);
  void take_mask(const internal::MaskedVolumes& masked);
  // The command that runs, if any, has ended.
  void end_command();
  void fail_all(const std::string& why);
  void send_first();
  [[nodiscard]] Status check_ready() const;

  const std::string volume_group_;
  ReadModel& read_model_;
  Metrics& metrics_;
  const std::function<void()> changed_;

  mutable std::mutex mutex_;
  channel::Channel channel_;
  bool attached_ = false;
  // The front is with the worker, the rest waits here: the worker reads its channel only between
  // two changes, and so a send never blocks.
  std::deque<Change> queue_;
  std::uint64_t last_id_ = 0;
  std::optional<RunningCommand> running_;
  std::thread reader_;
};

}  // namespace lvmd::server
