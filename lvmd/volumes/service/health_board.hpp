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
    // Whether the worker of a volume group is there.
    std::function<bool(std::string_view)> worker_runs;
    std::function<bool(std::string_view)> observer_runs;
    // What the group's observer and worker do now, if it can take long.
    std::function<std::optional<Step>(std::string_view)> observer_step;
    std::function<std::optional<Step>(std::string_view)> worker_step;
  };

  HealthBoard(const ReadModel& read_model, Processes processes);

  // The services are those of these groups from now on; refresh() follows. Streams of a group that
  // is gone say SERVICE_UNKNOWN.
  void configure(std::shared_ptr<const model::ClassCatalog> catalog,
                 const std::vector<std::string>& volume_groups);

  // Looks again at everything: call it after every change of the read model, of a worker or of the
  // configuration. A change of a group's health is logged with the reason.
  void refresh();

  [[nodiscard]] Result<server::HealthReport> check(std::string_view service) const override;
  [[nodiscard]] server::Broadcast<HealthMessage>& statuses(std::string_view service) override;

  // Ends every stream, present and future.
  void end(const Error& reason);

 private:
  struct Service {
    // The volume group; empty for the services of the whole.
    std::string volume_group;
    bool configured = true;
    // Empty: serves.
    std::string problem;
    VolumesWithoutClass without_class;
    std::vector<GroupWarning> warnings;
    // The group's; empty until it was read.
    std::string id;
    server::Broadcast<HealthMessage> statuses;
  };

  [[nodiscard]] std::string problem_of(const std::string& volume_group) const;
  void refresh_group(Service& service);
  // What is remembered of the group that serves: news are logged.
  void update_warnings(Service& service) const;
  void update_volumes_without_class(Service& service, const model::VolumeGroup& group) const;
  void set(Service& service, std::string problem);
  // Which step of the group's processes does not come to its end.
  [[nodiscard]] std::string stuck_step_of(const std::string& volume_group) const;
  // What is worth knowing of a service that serves.
  [[nodiscard]] std::string warnings_of(const Service& service) const;
  // What makes the age of the group's state worth knowing, and the age. Empty: nothing does.
  [[nodiscard]] std::string age_of(const std::string& volume_group) const;

  const ReadModel& read_model_;
  const Processes processes_;

  mutable std::mutex mutex_;
  std::shared_ptr<const model::ClassCatalog> catalog_;
  // Streams refer to the entries: none is ever erased, but marked as not configured.
  std::map<std::string, Service, std::less<>> services_;
  server::Broadcast<HealthMessage> unknown_;
};

}  // namespace lvmd::volumes
