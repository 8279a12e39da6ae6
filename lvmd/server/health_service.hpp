// grpc.health.v1.Health. Our own service instead of gRPC's built-in one: reflection can't describe
// that one, and its streams delay a shutdown.
#pragma once

#include <string>
#include <string_view>

#include "health.grpc.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/host.hpp"

namespace lvmd::server {

using HealthMessage = ::grpc::health::v1::HealthCheckResponse;

struct HealthReport {
  bool serves = false;
  // Why it doesn't serve; or what an operator should know although it does. Empty: nothing.
  std::string reason;
};

// Where the health of each service comes from. Thread-safe.
class HealthSource {
 public:
  // NotFound for a name that no service has [P-HEALTH-3].
  [[nodiscard]] virtual Result<HealthReport> check(std::string_view service) const = 0;
  // The stream of statuses of the service; for an unknown name one that says SERVICE_UNKNOWN. It
  // lives as long as the source.
  [[nodiscard]] virtual Broadcast<HealthMessage>& statuses(std::string_view service) = 0;

 protected:
  ~HealthSource() = default;
};

class HealthService final : public ::grpc::health::v1::Health::CallbackService {
 public:
  // Both must outlive it.
  HealthService(HealthSource& source, Host& host) : source_(source), host_(host) {}

  // Why a service doesn't serve, or what should be known of one that does, is in the trailing
  // metadata "lvmd-reason" [P-HEALTH-6].
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const ::grpc::health::v1::HealthCheckRequest* request,
                                  HealthMessage* response) override;
  grpc::ServerWriteReactor<HealthMessage>* Watch(
      grpc::CallbackServerContext* context,
      const ::grpc::health::v1::HealthCheckRequest* request) override;

 private:
  HealthSource& source_;
  Host& host_;
};

}  // namespace lvmd::server
