// A part of the supervisor that starts processes of its own.
//
// The supervisor uses modules through this interface only. modules.cpp registers them.
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
  // "lvmd-worker vg0". Unique; appears in the log and in metrics.
  std::string name;
  // Must live as long as the module.
  const ProgramFile* program = nullptr;
  std::vector<std::string> arguments;
  // Runs in the child before its exec, as Program::confine.
  std::function<Status()> confine;
  // Makes the first frame on the control channel from the configuration in force. The frame carries
  // the process's end of its channel to the server.
  std::function<internal::ControlFrame()> setup;
  // The frame that carries the other end to the server.
  internal::ControlFrame attached{};
  // Whether the process gets a frame for each new configuration, which it acknowledges with
  // `configured`.
  bool is_configured = false;
  // Not empty: a stop waits for the process and never kills it, because it may be running an LVM
  // command. The status of lvmd.service shows this text for a process the stop waits for ("vg0").
  std::string finishes{};
};

// The supervisor's services for its modules. One thread.
class Host {
 public:
  // Sends the frame to the running server; drops it when none runs. The caller keeps `fds`.
  virtual void send_to_server(const internal::ControlFrame& frame,
                              std::span<const int> fds = {}) = 0;

 protected:
  ~Host() = default;
};

// Called on one thread, the supervisor's loop. No function may block.
class Module {
 public:
  virtual ~Module() = default;

  // The processes to run with the configuration in force. The supervisor starts them again when
  // they end. A module starts other processes, for one job each, itself.
  [[nodiscard]] virtual std::vector<ServiceProcess> processes() const { return {}; }
  // Adds the module's part to the setup of a server that is being started.
  virtual void add_setup(internal::ServerSetup& /*setup*/) const {}
  virtual void reconfigure(const config::Config& /*config*/) {}

  // Handles the server's event and returns true if it belongs to this module. The event may contain
  // credentials.
  [[nodiscard]] virtual bool handle(internal::ChildEvent& /*event*/) { return false; }
  // lvmd stops: the module must not start a process any more.
  virtual void stop() {}

  // A descriptor to poll. process() is called when it is ready, and when next_due() has passed.
  [[nodiscard]] virtual std::optional<pollfd> polled() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Clock::time_point> next_due() const { return std::nullopt; }
  virtual void process(Clock::time_point /*now*/) {}
  // A child of the supervisor has ended (SIGCHLD). Reaps those of the module.
  virtual void reap() {}
};

using Modules = std::vector<std::unique_ptr<Module>>;

// The arguments for making modules.
struct ModuleContext {
  config::Config config;
  // The folder of lvmd's other programs.
  std::string program_directory;
  std::string runtime_directory;
  std::string state_directory;
  // The account of lvmd-server.
  Account server;
};

// Opens the modules' programs and creates their folders. An Error names what is missing. `host`
// must outlive the modules; it runs no server yet.
using MakeModules = Result<Modules> (*)(const ModuleContext& context, Host& host);

// The modules of lvmd (modules.cpp).
[[nodiscard]] Result<Modules> make_modules(const ModuleContext& context, Host& host);

}  // namespace lvmd::supervisor
