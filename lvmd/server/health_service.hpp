// grpc.health.v1.Health. gRPC's built-in service is not used: reflection can't describe it, and its
// streams delay a shutdown.
#pragma once

#include <string>
#include <string_view>

#include "health.grpc.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::server {

using HealthMessage = ::grpc::health::v1::HealthCheckResponse;

struct HealthReport {
  bool serves = false;
  // Why the service does not serve, or a warning about a service that serves. Empty: neither.
  std::string reason;
};

// Supplies the health of each service. Thread-safe.
class HealthSource {
 public:
  // NotFound for an unknown service name [P-HEALTH-3].
  [[nodiscard]] virtual Result<HealthReport> check(std::string_view service) const = 0;
  // The statuses of the service. An unknown name has a stream with the status SERVICE_UNKNOWN. The
  // reference is valid as long as the source.
  [[nodiscard]] virtual Broadcast<HealthMessage>& statuses(std::string_view service) = 0;

 protected:
  ~HealthSource() = default;
};

class HealthService final : public ::grpc::health::v1::Health::CallbackService {
 public:
  // `source` and `host` must outlive the service.
  HealthService(HealthSource& source, Host& host) : source_(source), host_(host) {}

  // The trailing metadata "lvmd-reason" says why the service does not serve, or has the warnings
  // about a service that serves [P-HEALTH-6].
  UnaryReactor* Check(Context* context, const ::grpc::health::v1::HealthCheckRequest* request,
                      HealthMessage* response) override;
  grpc::ServerWriteReactor<HealthMessage>* Watch(
      Context* context, const ::grpc::health::v1::HealthCheckRequest* request) override;

 private:
  HealthSource& source_;
  Host& host_;
};

}  // namespace lvmd::server
