// A part of the server that serves gRPC services of its own: volumes, mounts, transfers.
//
// The host (serve.cpp) knows modules by this interface alone. modules.cpp registers them.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <prometheus/metric_family.h>

#include <memory>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/health_service.hpp"

namespace lvmd::server {

// A frame that the supervisor sent, with its descriptors.
using SupervisorFrame = ipc::Channel::Received<internal::ControlFrame>;

// The channel that is the frame's only descriptor. InvalidArgument when the frame has none or more.
[[nodiscard]] Result<ipc::Channel> take_channel(SupervisorFrame& frame);

// The host calls handle() and reconfigure() on the thread that reads the supervisor's channel, and
// metrics() on the thread of the metrics endpoint. It calls the rest on its main thread, in the
// order of the declarations.
class Module {
 public:
  virtual ~Module() = default;

  // The gRPC services of the full socket, and those that the read-only socket has as well. They
  // live as long as the module.
  [[nodiscard]] virtual std::vector<grpc::Service*> services() = 0;
  [[nodiscard]] virtual std::vector<grpc::Service*> read_only_services() { return {}; }

  // Prepares for calls, which may come as soon as every module has started. May wait for a bounded
  // time, but not after stop_waiting(). An Error ends the server.
  [[nodiscard]] virtual Status start() { return {}; }
  // start() returns soon: the supervisor stops the server, or has gone. Any thread.
  virtual void stop_waiting() {}

  // Handles the frame and returns true when it is one of this module's.
  [[nodiscard]] virtual Result<bool> handle(SupervisorFrame& /*frame*/) { return false; }
  // Puts the new configuration into force. A call that has begun goes on with the one before.
  [[nodiscard]] virtual Status reconfigure(const internal::Configuration& /*configuration*/) {
    return {};
  }
  // The supervisor has gone: no request to it will be answered.
  virtual void supervisor_lost() {}

  // The module's metrics as they are now.
  [[nodiscard]] virtual std::vector<prometheus::MetricFamily> metrics() { return {}; }

  // lvmd stops. Ends every stream with `reason`, and each call whose work goes on without lvmd.
  virtual void stop(const Error& /*reason*/) {}
  // Answers every call that still waits with `reason`: the supervisor has gone.
  virtual void end_calls(const Error& /*reason*/) {}
  // Ends the module's threads and channels. No callback of a call runs when this has returned.
  virtual void detach() {}
};

class Host;

// The modules of this server. A module may refer to the ones before it.
class Modules {
 public:
  Modules(std::vector<std::unique_ptr<Module>> modules, HealthSource& health)
      : modules_(std::move(modules)), health_(&health) {}
  Modules(Modules&&) = default;
  Modules& operator=(Modules&&) = delete;
  ~Modules() {
    // All of them first: a callback of one module may lead into another one.
    for (const auto& module : modules_) module->detach();
    while (!modules_.empty()) modules_.pop_back();
  }

  [[nodiscard]] auto begin() const { return modules_.begin(); }
  [[nodiscard]] auto end() const { return modules_.end(); }
  [[nodiscard]] HealthSource& health() const { return *health_; }

 private:
  std::vector<std::unique_ptr<Module>> modules_;
  HealthSource* health_;
};

// InvalidArgument when `setup` breaks a rule. `host` must outlive the modules.
using MakeModules = Result<Modules> (*)(Host& host, const internal::ServerSetup& setup);

// The modules of lvmd-server (modules.cpp).
[[nodiscard]] Result<Modules> make_modules(Host& host, const internal::ServerSetup& setup);

}  // namespace lvmd::server
