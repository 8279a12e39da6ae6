// The mounters that run: children of one job each, which are not started again.
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

// One thread. The destructor does not end running mounters: a mount must not be interrupted.
class Mounters {
 public:
  explicit Mounters(supervisor::ProgramFile program) : program_(std::move(program)) {}

  // Starts a mounter for this job. Returns the channel on which it replies. Unavailable while
  // kMaxMounters run.
  [[nodiscard]] Result<ipc::Channel> start(const internal::MountJob& job);

  // Reaps the mounters that have ended.
  void reap();

 private:
  supervisor::ProgramFile program_;
  std::vector<pid_t> running_;
};

}  // namespace lvmd::mounts
