// The health of each service of grpc.health.v1 [P-HEALTH-1, P-HEALTH-2].
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
#include "lvmd/server/health_service.hpp"
#include "lvmd/volumes/service/current_step.hpp"
#include "lvmd/volumes/service/group_warnings.hpp"
#include "lvmd/volumes/service/read_model.hpp"
#include "lvmd/volumes/service/volumes_without_class.hpp"

namespace lvmd::volumes {

using server::HealthMessage;

// Thread-safe.
class HealthBoard final : public server::HealthSource {
 public:
  struct Processes {
    // Whether the worker or the observer of a volume group is connected.
    std::function<bool(std::string_view)> worker_runs;
    std::function<bool(std::string_view)> observer_runs;
    // The step that the group's observer or worker has announced; absent: none.
    std::function<std::optional<Step>(std::string_view)> observer_step;
    std::function<std::optional<Step>(std::string_view)> worker_step;
  };

  HealthBoard(const ReadModel& read_model, Processes processes);

  // Sets the groups that have a service; call refresh() afterwards. Streams of a removed group get
  // SERVICE_UNKNOWN.
  void configure(std::shared_ptr<const model::ClassCatalog> catalog,
                 const std::vector<std::string>& volume_groups);

  // Computes the health of all groups again. Call it after every change of the read model, of a
  // worker or of the configuration. Logs changes of a group's health with their reason.
  void refresh();

  [[nodiscard]] Result<server::HealthReport> check(std::string_view service) const override;
  [[nodiscard]] server::Broadcast<HealthMessage>& statuses(std::string_view service) override;

  // Ends every stream, present and future.
  void end(const Error& reason);

 private:
  struct Service {
    // The volume group; empty for a service of the whole server.
    std::string volume_group;
    bool configured = true;
    // Why it does not serve. Empty: it serves.
    std::string problem;
    VolumesWithoutClass without_class;
    std::vector<GroupWarning> warnings;
    // The UUID of the group; empty until it was read.
    std::string id;
    server::Broadcast<HealthMessage> statuses;
  };

  [[nodiscard]] std::string problem_of(const std::string& volume_group) const;
  void refresh_group(Service& service);
  // Updates the warnings about a readable group, and logs the changes.
  void update_warnings(Service& service) const;
  void update_volumes_without_class(Service& service, const model::VolumeGroup& group) const;
  void set(Service& service, std::string problem);
  // Which step of the group's processes is stuck; empty: none.
  [[nodiscard]] std::string stuck_step_of(const std::string& volume_group) const;
  // The warnings about a service that serves; empty: none.
  [[nodiscard]] std::string warnings_of(const Service& service) const;
  // Why the state of the group may be old, and its age. Empty: the state is current.
  [[nodiscard]] std::string age_of(const std::string& volume_group) const;

  const ReadModel& read_model_;
  const Processes processes_;

  mutable std::mutex mutex_;
  std::shared_ptr<const model::ClassCatalog> catalog_;
  // Streams refer to the entries: none is erased, a removed group is marked as not configured.
  std::map<std::string, Service, std::less<>> services_;
  server::Broadcast<HealthMessage> unknown_;
};

}  // namespace lvmd::volumes
