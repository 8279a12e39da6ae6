// A part of the server with gRPC services of its own.
//
// The host (serve.cpp) uses modules through this interface only. modules.cpp registers them.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <prometheus/metric_family.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/health_service.hpp"

namespace lvmd::server {

// A frame from the supervisor with its descriptors.
using SupervisorFrame = ipc::Channel::Received<internal::ControlFrame>;

// Returns the channel that is the frame's only descriptor. InvalidArgument when the frame has no or
// several descriptors.
[[nodiscard]] Result<ipc::Channel> take_channel(SupervisorFrame& frame);

// The listening sockets for gRPC.
enum class SocketKind : std::uint8_t {
  kFull,
  // Members of more groups may connect here, so its services change nothing.
  kReadOnly,
  // Only root may connect to the next two. kubelet mounts volumes here,
  kCsi,
  // and discovers the CSI driver here.
  kRegistration,
};

// The host calls handle() and reconfigure() on the thread that reads the supervisor's channel, and
// metrics() on the thread of the metrics endpoint. It calls the rest on its main thread, in the
// order of the declarations.
class Module {
 public:
  virtual ~Module() = default;

  // The services on a socket of this kind. They live as long as the module.
  [[nodiscard]] virtual std::vector<grpc::Service*> services(SocketKind kind) = 0;

  // Prepares for calls, which may arrive as soon as every module has started. May wait for a
  // bounded time, but not after stop_waiting(). An Error ends the server.
  [[nodiscard]] virtual Status start() { return {}; }
  // Makes start() return soon, because the supervisor stops the server or has ended. Any thread.
  virtual void stop_waiting() {}

  // Handles the frame and returns true if it belongs to this module.
  [[nodiscard]] virtual Result<bool> handle(SupervisorFrame& /*frame*/) { return false; }
  // Applies the new configuration. A call that has begun continues with the previous one.
  [[nodiscard]] virtual Status reconfigure(const internal::Configuration& /*configuration*/) {
    return {};
  }
  // The supervisor has ended: it answers no request any more.
  virtual void supervisor_lost() {}

  // The module's current metrics.
  [[nodiscard]] virtual std::vector<prometheus::MetricFamily> metrics() { return {}; }

  // lvmd stops. Ends every stream with `reason`, and each call whose operation continues without
  // lvmd.
  virtual void stop(const Error& /*reason*/) {}
  // Answers every waiting call with `reason`, because the supervisor has ended.
  virtual void end_calls(const Error& /*reason*/) {}
  // Ends the module's threads and channels. No callback of a call runs or begins once this has
  // returned.
  virtual void detach() {}
};

class Host;

// The modules of this server. A module may refer to modules before it.
class Modules {
 public:
  Modules(std::vector<std::unique_ptr<Module>> modules, HealthSource& health)
      : modules_(std::move(modules)), health_(&health) {}
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;
  Modules(Modules&&) = default;
  Modules& operator=(Modules&&) = delete;
  ~Modules() {
    // All modules are detached before any is destroyed, because a callback of one module may call
    // another.
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
