// Mounters without mounts: answer the jobs that a server asks the supervisor for, over the real
// channels, and can be held up, be refused, or die.
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
  // What the supervisor would do with the request; `control` leads to the server. A job is answered
  // at once with one mount, or with what the job is for, or as it was told.
  [[nodiscard]] Status start(const internal::StartMounter& request, ipc::Channel& control);

  // From now on this is the answer.
  void answer_with(internal::MountReply reply);
  // Mounters are started and say nothing until release(), which answers those that wait.
  void hold();
  [[nodiscard]] Status release();
  // Those that wait end without a word.
  void die();
  // The next job gets no mounter.
  void refuse_next(Error why);

  // True once so many jobs were asked for.
  [[nodiscard]] bool wait_for_jobs(std::size_t count, std::chrono::milliseconds limit);
  [[nodiscard]] std::vector<internal::MountJob> jobs();

 private:
  // Of what the job asks for; the caller holds the lock.
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
