// The server's side of the mounters: one process for each job, started by the supervisor.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/pending_replies.hpp"

namespace lvmd::mounts {

// The reply to a job that has succeeded: its outcome is not an error.
using MountResult = Result<internal::MountReply>;

// Thread-safe. Callbacks run on the thread that reads the mounters' channels, on the control
// channel's, or on the caller's; never with a lock held.
class MounterClient {
 public:
  using Callback = std::function<void(const MountResult&)>;
  // Sends an event to the supervisor; Unavailable if the supervisor has ended. Thread-safe.
  using Send = std::function<Status(const internal::ChildEvent&)>;

  explicit MounterClient(Send send) : send_(std::move(send)) {}
  MounterClient(const MounterClient&) = delete;
  MounterClient& operator=(const MounterClient&) = delete;
  // Running mounters continue.
  ~MounterClient();

  // Starts the thread that reads the mounters' replies. Call it once, before the first job.
  [[nodiscard]] Status open();

  // Starts a mounter for the job. `done` is called once, however long the job takes. Jobs do not
  // wait for each other [P-MOUNT-14]. Unavailable, at once, while the server stops.
  void submit(internal::MountJob job, Callback done);

  // The supervisor's reply: the mounter's channel, or the reason why no mounter was started.
  void started(std::uint64_t number, ipc::Channel channel);
  void refused(std::uint64_t number, const Error& why);

  // Ends all jobs, present and future, with `why`. Running mounters continue.
  void end(const Error& why);

 private:
  void read_replies();
  void wake() const;

  const Send send_;
  ipc::PendingReplies<MountResult> replies_;
  std::mutex mutex_;
  // Channels of the mounters that run, by the number of the job.
  std::map<std::uint64_t, ipc::Channel> channels_;
  bool leaving_ = false;
  // Written to when `channels_` or `leaving_` has changed.
  UniqueFd wakeup_;
  std::thread reader_;
};

}  // namespace lvmd::mounts
