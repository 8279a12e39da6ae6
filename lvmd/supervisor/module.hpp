// A part of the supervisor that starts processes of its own: volumes, mounts, transfers.
//
// The supervisor knows modules by this interface alone. modules.cpp registers them.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/child.hpp"

namespace lvmd::supervisor {

using Clock = std::chrono::steady_clock;

// A process that runs as long as lvmd does, with a channel to the server [P-RUN-6].
struct ServiceProcess {
  // "lvmd-worker vg0": unique; in the log and in metrics.
  std::string name;
  // Must live as long as the module.
  const ProgramFile* program = nullptr;
  std::vector<std::string> arguments;
  // Runs in the child before its exec, as Program::confine.
  std::function<Status()> confine;
  // The first frame on the control channel, by the configuration in force. It carries the process's
  // end of the channel to the server.
  std::function<internal::ControlFrame()> setup;
  // The frame that gives the server the other end.
  internal::ControlFrame attached;
  // It gets a frame for each new configuration, and replies `configured`.
  bool is_configured = false;
  // Not empty: a stop waits for the process, and never kills it: it may be inside an LVM command.
  // This is how the status of lvmd.service names what it works on ("vg0").
  std::string finishes;
};

// What the supervisor offers to its modules. One thread.
class Host {
 public:
  // To the server that runs now; dropped when none runs. `fds` stay the caller's.
  virtual void send_to_server(const internal::ControlFrame& frame,
                              std::span<const int> fds = {}) = 0;

 protected:
  ~Host() = default;
};

// One thread, the supervisor's loop: no function may wait.
class Module {
 public:
  virtual ~Module() = default;

  // The processes that run with the configuration in force.
  [[nodiscard]] virtual std::vector<ServiceProcess> processes() const { return {}; }
  // Adds the module's part to the setup of a server that starts now.
  virtual void add_setup(internal::ServerSetup& /*setup*/) const {}
  virtual void reconfigure(const config::Config& /*config*/) {}

  // Handles the server's event and returns true when it is one of this module's. The event may have
  // credentials in it.
  [[nodiscard]] virtual bool handle(internal::ChildEvent& /*event*/) { return false; }
  // lvmd stops: the module starts no process from now on.
  virtual void stop() {}

  // A descriptor to poll; process() is called whenever it is ready, and when next_due() has come.
  [[nodiscard]] virtual std::optional<pollfd> polled() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Clock::time_point> next_due() const { return std::nullopt; }
  virtual void process(Clock::time_point /*now*/) {}
  // A child of the supervisor has ended (SIGCHLD): collects those of the module.
  virtual void reap() {}
};

using Modules = std::vector<std::unique_ptr<Module>>;

// What modules are made from.
struct ModuleContext {
  config::Config config;
  // Folder of lvmd's other programs.
  std::string program_directory;
  std::string runtime_directory;
  std::string state_directory;
  // The account of lvmd-server.
  Account server;
};

// Opens the modules' programs and makes their folders. An Error names what is missing. `host` must
// outlive the modules, and runs no server yet.
using MakeModules = Result<Modules> (*)(const ModuleContext& context, Host& host);

// The modules of lvmd (modules.cpp).
[[nodiscard]] Result<Modules> make_modules(const ModuleContext& context, Host& host);

}  // namespace lvmd::supervisor
