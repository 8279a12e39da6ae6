// The children of the supervisor and the channels between them: the server, and the service
// processes of the modules.
//
//              server ◄──── service process (module.hpp): an observer or a worker of a volume group
//
// A child that ends is started again (P-RUN-6). A service process ends when the server's end of its
// channel closes, so that a new server gets new service processes.
//
// The supervisor pings every child. It kills a child that does not answer and starts it again,
// unless the child has announced a step: no process is killed during an LVM command. A child that
// hangs in the kernel ends later; its successor starts after that, and only its volume group is
// affected until then.
//
// A reload reaches the service processes before the server: when the server sends a request by the
// new configuration, its worker already has that configuration. When the server has acknowledged
// the configuration, the processes of a new group start, and those of a removed group end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/clock.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/child.hpp"
#include "lvmd/supervisor/module.hpp"
#include "lvmd/supervisor/restart_delay.hpp"

namespace lvmd::supervisor {

struct ServerSpec {
  ProgramFile program;
  Account account;
  // Without the modules' parts.
  internal::ServerSetup setup;
  // In the order of `setup.listening_sockets`.
  std::vector<UniqueFd> sockets;
};

// One thread.
class ProcessSupervisor final : public Host {
 public:
  explicit ProcessSupervisor(ServerSpec server);

  // Call it once, before any other function. `modules` must outlive every later call.
  void use(const Modules& modules);

  void send_to_server(const internal::ControlFrame& frame, std::span<const int> fds = {}) override;

  // Starts each process that should run and does not, if its restart delay is over. Idempotent.
  void start_due(Clock::time_point now);
  // The next time at which start_due() or check_liveness() must be called.
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;

  // Pings the children, and kills those that did not answer. Call it whenever next_due() has
  // passed. If the call is late (the host was paused), it kills no child.
  void check_liveness(Clock::time_point now);

  // Reaps children that have ended. Call it on SIGCHLD.
  void reap(Clock::time_point now);

  // The descriptors to poll for reading. Call on_readable() with each that is ready.
  [[nodiscard]] std::vector<int> control_fds() const;
  void on_readable(int fd);

  // Applies a new configuration. Processes that the modules now need are started; processes that
  // they no longer need end after their command. Nothing is restarted.
  void reconfigure(const internal::ClassCatalog& catalog,
                   const std::vector<std::string>& volume_groups);
  // Whether the server, if it runs, has applied the newest configuration. A worker that runs a
  // command applies it afterwards.
  [[nodiscard]] bool settled() const;

  // Whether the server has reported at least once that it serves.
  [[nodiscard]] bool serving() const { return serving_; }
  // The name of a child that ended because its program has another version than this one.
  [[nodiscard]] const std::optional<std::string>& other_version() const { return other_version_; }

  // Begins the stop: orders the server to stop; no process is started again.
  void stop();
  // Kills the server and the processes that run no LVM commands, if they still run.
  void kill_remaining();
  // From now on all_gone() ignores service processes that still run. They end by themselves, and
  // each worker keeps its group's lock until then. The log names them. Idempotent.
  void leave_behind();
  // Whether all children have ended. Processes that modules start themselves don't count.
  [[nodiscard]] bool all_gone() const;
  // The subjects of the processes that a stop waits for (ServiceProcess::finishes).
  [[nodiscard]] std::vector<std::string> unfinished() const;

 private:
  struct Slot {
    // Absent: the server.
    std::optional<ServiceProcess> process;
    std::optional<Child> child;
    RestartDelay delay;
    Clock::time_point due{};
    // Generations of the configuration: the last one sent to the child, and the last one it took.
    std::uint64_t sent = 0;
    std::uint64_t taken = 0;
    // The number of restarts.
    std::uint64_t restarts = 0;
    // The configuration in force does not need the process.
    bool retired = false;
    // The step that the child has announced. It can take long, and the child answers no ping
    // meanwhile.
    std::string step;
    // The time of the last ping; absent when it was answered.
    std::optional<Clock::time_point> pinged;
    std::uint64_t ping = 0;
    MonotonicTime last_answer;
    // The time at which it was killed because it did not answer.
    std::optional<Clock::time_point> killed;
    bool logged_unkillable = false;
  };
  using Slots = std::map<std::string, Slot, std::less<>>;

  [[nodiscard]] Status start(Slot& slot);
  [[nodiscard]] Status start_server();
  [[nodiscard]] Status start_process(Slot& slot);
  [[nodiscard]] Status send(Child& child, const internal::ControlFrame& frame,
                            std::span<const int> fds = {});
  // Updates the slots to the processes of the modules.
  void update_slots();
  void adopt(Slot& slot, Child child) const;
  void on_message(Slot& slot, internal::ChildEvent& message);
  void ping(Slot& slot, Clock::time_point now);
  void check_answer(std::string_view name, Slot& slot, Clock::time_point now);
  // Ends the processes that are not needed, and removes the slots of those that have ended.
  void end_retired();
  // For the server's metrics.
  void send_restarts(std::string_view name, const Slot& slot);
  // Sends the newest configuration unless one is unacknowledged: a child that runs a long command
  // must not fill its channel and so block the supervisor.
  void send_configuration(Slot& slot);
  void collect(std::string_view name, Slot& slot, Clock::time_point now);

  ServerSpec server_spec_;
  const Modules* modules_ = nullptr;
  // By name: the server and the modules' processes.
  Slots slots_;
  Slot& server_;
  std::uint64_t generation_ = 1;
  bool serving_ = false;
  std::optional<std::string> other_version_;
  bool stopping_ = false;
  bool left_behind_ = false;
  Clock::time_point next_check_{};
};

}  // namespace lvmd::supervisor
