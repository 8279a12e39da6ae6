// The children of the supervisor and the channels between them: the server, and the service
// processes of the modules.
//
//              server ◄──── service process (module.hpp): an observer or a worker of a volume group
//
// A child that ends is started again (P-RUN-6). A channel dies with either end: a service process
// ends when the server's end closes, so a new server gets new ones.
//
// The supervisor pings every child. It kills a child that does not answer and starts it again, but
// not one that has announced a step: no process is killed inside an LVM command. A child that hangs
// in the kernel dies later; its successor starts after that, and meanwhile only its volume group is
// affected.
//
// A reload reaches the service processes first, then the server: a request that the server makes by
// the new configuration finds it at its worker.
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
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/child.hpp"
#include "lvmd/supervisor/listening_sockets.hpp"
#include "lvmd/supervisor/module.hpp"
#include "lvmd/supervisor/restart_delay.hpp"

namespace lvmd::supervisor {

struct ServerSpec {
  ProgramFile program;
  Account account;
  // Without the parts that modules add.
  internal::ServerSetup setup;
};

// One thread.
class ProcessSupervisor final : public Host {
 public:
  ProcessSupervisor(ServerSpec server, ListeningSockets sockets);

  // Call it once, before anything else. `modules` must outlive every later call.
  void use(const Modules& modules);

  void send_to_server(const internal::ControlFrame& frame, std::span<const int> fds = {}) override;

  // Starts each process that should run and doesn't, as far as it is due. Idempotent.
  void start_due(Clock::time_point now);
  // When start_due() or check_liveness() has something to do next.
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;

  // Pings the children, and kills those that did not answer. Call it whenever next_due() has come;
  // when the call comes late (the host was paused), no child is killed.
  void check_liveness(Clock::time_point now);

  // Collects children that have ended. Call it on SIGCHLD.
  void reap(Clock::time_point now);

  // The descriptors to poll for reading; call on_readable with each that is.
  [[nodiscard]] std::vector<int> control_fds() const;
  void on_readable(int fd);

  // Puts a new configuration into force. A process that the modules newly want is started; one that
  // they no longer want ends after its command. Nothing is restarted.
  void reconfigure(const internal::ClassCatalog& catalog,
                   const std::vector<std::string>& volume_groups);
  // The server, as far as it runs, has taken the newest configuration. A worker may still be in a
  // command; it takes the configuration after it.
  [[nodiscard]] bool settled() const;

  // The server has reported that it serves, at least once.
  [[nodiscard]] bool serving() const { return serving_; }
  // A child that ended because its program is of another version than this one.
  [[nodiscard]] const std::optional<std::string>& other_version() const { return other_version_; }

  // Begins the stop: the server gets the order to stop, and no process is started again.
  void stop();
  // Kills the server and the processes that finish no command, as far as they still run.
  void kill_remaining();
  // From now on service processes that still run don't count for all_gone(): they end by
  // themselves, and each worker keeps its group's lock until then. The log names them.
  void leave_behind();
  // Processes that modules start on their own don't count.
  [[nodiscard]] bool all_gone() const;
  // What the processes that a stop waits for work on (ServiceProcess::finishes).
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
    // How often it was started again.
    std::uint64_t restarts = 0;
    // The configuration does not need the process any more.
    bool retired = false;
    // The step that the child has announced: it can take long, and the child answers no ping.
    std::string step;
    // When the last ping was sent; absent when it was answered.
    std::optional<Clock::time_point> pinged;
    std::uint64_t ping = 0;
    MonotonicTime last_answer;
    // When it was killed because it did not answer.
    std::optional<Clock::time_point> killed;
    bool logged_unkillable = false;
  };
  using Slots = std::map<std::string, Slot, std::less<>>;

  [[nodiscard]] Status start(Slot& slot);
  [[nodiscard]] Status start_server();
  [[nodiscard]] Status start_process(Slot& slot);
  [[nodiscard]] Status send(Child& child, const internal::ControlFrame& frame,
                            std::span<const int> fds = {});
  // Makes the slots those of the modules' processes.
  void update_slots();
  void adopt(Slot& slot, Child child) const;
  void on_message(Slot& slot, internal::ChildEvent& message);
  void ping(Slot& slot, Clock::time_point now);
  void check_answer(std::string_view name, Slot& slot, Clock::time_point now);
  // Ends the processes that are not needed any more, and forgets those that have ended.
  void end_retired();
  // For the server's metrics.
  void send_restarts(std::string_view name, const Slot& slot);
  // Sends the newest configuration unless one is on its way: a child that is stuck in a command
  // must not fill its channel and so block the supervisor.
  void send_configuration(Slot& slot);
  void collect(std::string_view name, Slot& slot, Clock::time_point now);

  ServerSpec server_spec_;
  ListeningSockets sockets_;
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
