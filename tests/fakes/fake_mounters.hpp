// Mounters without mounts: answer the server's jobs over the real channels, and can be delayed,
// refused or ended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"

namespace lvmd::fakes {

// The size of a file system, before it grows to twice as much.
inline constexpr std::int64_t kFakeSize = 1 << 30;

// Thread-safe.
class FakeMounters {
 public:
  // Handles a request as the supervisor does; `control` leads to the server. A job is answered at
  // once with one mount, with what the job is for, or with the set answer.
  [[nodiscard]] Status start(const internal::StartMounter& request, ipc::Channel& control);

  // Sets the answer of later jobs.
  void answer_with(internal::MountReply reply);
  // Mounters start but do not answer until release(), which answers the waiting jobs.
  void hold();
  [[nodiscard]] Status release();
  // The waiting mounters end without an answer.
  void die();
  // The next job is refused.
  void refuse_next(Error why);

  // Waits until this number of jobs was requested; false at the limit.
  [[nodiscard]] bool wait_for_jobs(std::size_t count, std::chrono::milliseconds limit);
  [[nodiscard]] std::vector<internal::MountJob> jobs();

 private:
  // The default answer to the job. The caller holds the lock.
  [[nodiscard]] internal::MountReply reply_to(const internal::MountJob& job) const;

  struct Waiting {
    internal::MountJob job;
    ipc::Channel channel;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<internal::MountJob> jobs_;
  std::vector<Waiting> waiting_;
  std::optional<internal::MountReply> reply_;
  std::optional<Error> refusal_;
  bool held_ = false;
};

}  // namespace lvmd::fakes
