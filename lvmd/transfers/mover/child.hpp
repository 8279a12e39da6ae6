// A program that was started with pipes, and its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/capabilities.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"

namespace lvmd::transfers::mover {

// Killed, if it still runs, when this goes.
class Child {
 public:
  // With its own process group, no signal blocked, nothing inherited but its pipes and `inherited`.
  // Killed by the kernel when this process ends.
  [[nodiscard]] static Result<Child> start(const CommandLine& command, Capabilities capabilities,
                                           const std::vector<int>& inherited, bool with_input);

  Child(Child&& other) noexcept = default;
  Child& operator=(Child&& other) = delete;
  ~Child();

  // Non-blocking ends of its pipes. `input` is none when it reads /dev/null.
  UniqueFd input;
  UniqueFd output;
  UniqueFd errors;

  // Readable when it has ended.
  [[nodiscard]] int ended() const { return pidfd_.get(); }
  void kill(int signal) const;
  // How many bytes it has read so far, from whatever; 0 when that isn't known.
  [[nodiscard]] std::uint64_t bytes_read() const;
  // Its exit code, or a signal's number, negated. It has ended.
  [[nodiscard]] int wait();

 private:
  Child(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_;
  // None: it has been waited for.
  UniqueFd pidfd_;
};

}  // namespace lvmd::transfers::mover
