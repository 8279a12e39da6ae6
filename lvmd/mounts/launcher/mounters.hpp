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

// Those that hang in the kernel count; the others take a moment each.
inline constexpr std::size_t kMaxMounters = 16;

// One thread. The destructor leaves those that run alone: nobody is killed inside a mount.
class Mounters {
 public:
  explicit Mounters(supervisor::ProgramFile program) : program_(std::move(program)) {}

  // Starts one with this job; its channel, on which it answers. Unavailable when as many run as
  // may.
  [[nodiscard]] Result<ipc::Channel> start(const internal::MountJob& job);

  // Collects those that have ended.
  void reap();

 private:
  supervisor::ProgramFile program_;
  std::vector<pid_t> running_;
};

}  // namespace lvmd::mounts
