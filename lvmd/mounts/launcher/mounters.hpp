// The mounters: children that do one job each, and are not started again. To load its libraries
// takes a mounter longer than most jobs, so some that have done so wait for the next jobs
// [P-MOUNT-24].
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/supervisor/child.hpp"

namespace lvmd::mounts {

// Limits the mounters that hang in the kernel; the others end soon.
inline constexpr std::size_t kMaxMounters = 16;
// A pod starts with two jobs for each volume: one stages it, and one publishes it.
inline constexpr std::size_t kWaitingMounters = 2;

// One thread. The destructor ends the waiting mounters. It does not end those that have a job: a
// mount must not be interrupted.
class Mounters {
 public:
  explicit Mounters(supervisor::ProgramFile program) : program_(std::move(program)) {}

  // Gives the job to a waiting mounter, or to a new one. Returns the channel on which it replies.
  // Unavailable while kMaxMounters have a job.
  [[nodiscard]] Result<ipc::Channel> start(const internal::MountJob& job);

  // Starts mounters until kWaitingMounters wait. Logs an error: the next start() has it, too.
  void refill();

  // Ends the mounters that wait.
  void stop_waiting();

  // Reaps the mounters that have ended.
  void reap();

 private:
  [[nodiscard]] Result<supervisor::Child> spawn() const;

  supervisor::ProgramFile program_;
  // The mounters that have a job, and those that end because they will get none.
  std::vector<pid_t> running_;
  std::vector<supervisor::Child> waiting_;
};

}  // namespace lvmd::mounts
