// The true state of each service that gRPC health can be asked for [P-HEALTH-1, P-HEALTH-2].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "health.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/read_model.hpp"

namespace lvmd::server {

using HealthMessage = ::grpc::health::v1::HealthCheckResponse;

// Thread-safe.
class HealthBoard {
 public:
  // `worker_runs` tells whether the worker of a volume group is there.
  HealthBoard(const model::ClassCatalog& catalog, const std::vector<std::string>& volume_groups,
              const ReadModel& read_model, std::function<bool(std::string_view)> worker_runs);

  // Looks again at everything: call it after every change of the read model or of a worker. A
  // change of a group's health is logged with the reason.
  void refresh();

  // Nothing when it serves, else the reason; NotFound for a name that no service has [P-HEALTH-3].
  [[nodiscard]] Result<std::optional<std::string>> check(std::string_view service) const;

  // The stream of statuses of the service; for an unknown name one that says SERVICE_UNKNOWN.
  [[nodiscard]] Broadcast<HealthMessage>& statuses(std::string_view service);

  // Ends every stream, present and future.
  void end(const Error& reason);

 private:
  struct Service {
    // Empty: serves.
    std::string trouble;
    Broadcast<HealthMessage> statuses;
  };

  [[nodiscard]] std::string trouble_of(const std::string& volume_group) const;
  void set(Service& service, std::string trouble);

  const model::ClassCatalog& catalog_;
  const std::vector<std::string> volume_groups_;
  const ReadModel& read_model_;
  const std::function<bool(std::string_view)> worker_runs_;

  mutable std::mutex mutex_;
  // The keys never change.
  std::map<std::string, Service, std::less<>> services_;
  Broadcast<HealthMessage> unknown_;
};

}  // namespace lvmd::server
