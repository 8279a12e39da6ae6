// The server's side of the mounters: one process for each job, started by the supervisor.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"

namespace lvmd::server {

using MountOutcome = Result<internal::Mounts>;

// Thread-safe. Callbacks run on the thread that reads the mounters' channels, on the control
// channel's, or on the caller's; never with a lock held.
class MounterClient {
 public:
  using Callback = std::function<void(const MountOutcome&)>;
  // How the supervisor is told something; Unavailable when it is gone.
  using Tell = std::function<Status(const internal::ChildEvent&)>;

  MounterClient() = default;
  MounterClient(const MounterClient&) = delete;
  MounterClient& operator=(const MounterClient&) = delete;
  // Mounters that run go on.
  ~MounterClient();

  // From here on jobs are taken. Call it once; an Error when the system gives nothing to wait with.
  [[nodiscard]] Status open(Tell tell);

  // Has a mounter do the job; `done` is called once, however long that takes. Jobs don't wait for
  // each other [P-MOUNT-14]. Unavailable, at once, while the server stops.
  void submit(internal::MountJob job, Callback done);

  // What the supervisor answers: the mounter's channel, or why there is none.
  void started(std::uint64_t number, ipc::Channel channel);
  void refused(std::uint64_t number, const Error& why);

  // Every job, present and future, is answered with `why`. Those that run go on.
  void end(const Error& why);

 private:
  struct Job {
    Callback done;
    // None until the supervisor has answered.
    ipc::Channel channel;
  };

  void read_replies();
  void wake() const;
  void answer(std::uint64_t number, const MountOutcome& outcome);
  // The channel of a job whose mounter has said something; the job stays.
  [[nodiscard]] ipc::Channel take_channel(std::uint64_t number);

  Tell tell_;
  std::mutex mutex_;
  std::map<std::uint64_t, Job> jobs_;
  std::uint64_t last_number_ = 0;
  Result<void> open_ = fail(Code::kUnavailable, "lvmd is starting: try again");
  bool leaving_ = false;
  // Written to when there is another channel to read.
  UniqueFd news_;
  std::thread reader_;
};

}  // namespace lvmd::server
