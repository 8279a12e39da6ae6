// Starts programs. All of lvmd's processes start their programs here.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd {

// PATH with the system's directories, and LC_ALL=C.
[[nodiscard]] std::vector<std::string> minimal_environment();

// How Process::start() starts a program. The defaults start `arguments` with an empty input, the
// caller's outputs, a minimal environment, no other descriptor, and the host's setting for
// transparent huge pages. The caller's own standard streams must be open.
struct ProcessSpec {
  // Values for `input`, `output` and `errors` besides a descriptor of the caller above 2.
  static constexpr int kNull = -1;     // /dev/null
  static constexpr int kPipe = -2;     // a new pipe, whose other end Process has
  static constexpr int kInherit = -3;  // the caller's own standard stream

  enum class Group {
    kShared,      // the caller's process group
    kOwn,         // a process group of its own
    kOwnSession,  // a session of its own
  };

  // argv. The first argument is the program: a path, or a name to search in the caller's PATH.
  std::vector<std::string> arguments;
  // An open file (O_PATH) to execute instead of the first argument, which then is only argv[0].
  int executable = -1;
  // "NAME=value" for each variable. Empty optional: the caller's environment.
  std::optional<std::vector<std::string>> environment = minimal_environment();
  int input = kNull;
  int output = kInherit;
  int errors = kInherit;
  // Further descriptors of the caller that the program inherits under their own numbers. It
  // inherits no others, whether they are close-on-exec or not.
  std::vector<int> inherited{};
  // Keeps the caller's signal mask, so that signals that the caller blocks do not end the program.
  // Otherwise no signal is blocked.
  bool keep_signal_mask = false;
  Group group = Group::kShared;
  // The kernel kills the program when the thread that started it ends.
  bool killed_with_caller = false;
  // Runs in the new process, after everything above and before exec, for example to enter a
  // sandbox. An Error makes start() fail. A caller with a hook must have a single thread.
  std::function<Status()> before_exec{};
};

// How a program ended.
struct ExitStatus {
  // The exit code; 0 for a program that a signal killed.
  int code = 0;
  // The signal that killed the program, or 0.
  int signal = 0;

  [[nodiscard]] bool succeeded() const { return code == 0 && signal == 0; }
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// "failed with exit code 5" or "was killed by signal 9", for messages.
[[nodiscard]] std::string describe(const ExitStatus& status);

// A started program. Not thread-safe.
class Process {
 public:
  // Starts a program and waits until it was executed. Internal, with the program's name, when any
  // step fails, also when the program does not exist: a NotFound would suggest that the object of a
  // request does not exist. After an Error no process is left.
  [[nodiscard]] static Result<Process> start(const ProcessSpec& spec);

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  // Kills and reaps the program unless it was reaped. Gives up after 1 s, because a program that
  // hangs in the kernel ends later or never.
  ~Process();

  // The caller's ends of the pipes, non-blocking and close-on-exec. The caller may close them.
  UniqueFd input;
  UniqueFd output;
  UniqueFd errors;

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Lets the program continue without this object, which then neither kills nor reaps it. The
  // caller reaps the process with this pid.
  [[nodiscard]] pid_t release() { return std::exchange(pid_, -1); }
  // A pidfd: readable when the program has ended, before and after it was reaped.
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }
  // Sends a signal. Does nothing after the program was reaped.
  void kill(int signal) const;
  // Waits for the end of the program and reaps it. To be called once. After an Error, which means
  // that another part of the process has reaped the program, the destructor kills nothing.
  [[nodiscard]] Result<ExitStatus> wait();
  // The same without waiting: empty while the program runs.
  [[nodiscard]] Result<std::optional<ExitStatus>> try_wait();

 private:
  Process() = default;
  [[nodiscard]] Result<std::optional<ExitStatus>> reap(int options);

  pid_t pid_ = -1;
  UniqueFd pidfd_;
  bool reaped_ = false;
};

}  // namespace lvmd
