#include "lvmd/volumes/service/health_board.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"

namespace lvmd::volumes {
namespace {

constexpr std::array<std::string_view, 3> kWholeServices{"", "proto.LVService", "proto.VGService"};

std::string service_name(std::string_view volume_group) {
  return fmt::format("vg/{}", volume_group);
}

HealthMessage message_of(HealthMessage::ServingStatus status) {
  HealthMessage message;
  message.set_status(status);
  return message;
}

void append(std::string& text, const std::string& part) {
  if (!text.empty() && !part.empty()) text += "; ";
  text += part;
}

}  // namespace

HealthBoard::HealthBoard(const ReadModel& read_model, Processes processes)
    : read_model_(read_model), processes_(std::move(processes)) {
  for (const std::string_view name : kWholeServices) services_.try_emplace(std::string{name});
  unknown_.publish([] { return message_of(HealthMessage::SERVICE_UNKNOWN); });
}

void HealthBoard::configure(std::shared_ptr<const model::ClassCatalog> catalog,
                            const std::vector<std::string>& volume_groups) {
  const std::lock_guard lock{mutex_};
  catalog_ = std::move(catalog);
  for (auto& [name, service] : services_) {
    if (service.volume_group.empty() || !service.configured) continue;
    service.configured =
        std::ranges::find(volume_groups, service.volume_group) != volume_groups.end();
    if (!service.configured)
      service.statuses.publish([] { return message_of(HealthMessage::SERVICE_UNKNOWN); });
  }
  bool is_new = false;
  for (const std::string& volume_group : volume_groups) {
    Service& service = services_[service_name(volume_group)];
    is_new = is_new || service.volume_group.empty();
    service.volume_group = volume_group;
    service.configured = true;
  }
  // A stream for an unknown name may have a service now.
  if (is_new)
    unknown_.end_present(
        make_error(Code::kUnavailable, "lvmd.yaml was reloaded with a new volume group: call again")
            .because(reason::kReloaded));
}

std::string HealthBoard::stuck_step_of(const std::string& volume_group) const {
  const auto now = monotonic_now();
  if (const auto step = processes_.observer_step(volume_group); step && step->is_stuck(now))
    return fmt::format(
        "a device of volume group {} does not respond: \"{}\" has not ended within {} s. "
        "Check the kernel log; lvmd continues when the device responds",
        volume_group, step->what, step->limit->count());
  if (const auto step = processes_.worker_step(volume_group); step && step->is_stuck(now))
    return fmt::format(
        "the worker of volume group {} is stuck: \"{}\" has not "
        "ended within {} s",
        volume_group, step->what, step->limit->count());
  return {};
}

std::string HealthBoard::problem_of(const std::string& volume_group) const {
  if (std::string stuck = stuck_step_of(volume_group); !stuck.empty()) return stuck;
  const auto group = read_model_.group(volume_group);
  if (!group) return group.error().message;
  if (const auto complete = model::check_complete(**group); !complete)
    return complete.error().message;
  for (const model::DeviceClass& device_class : catalog_->device_classes) {
    if (device_class.volume_group != volume_group) continue;
    if (const auto usable = model::check_pool_usable(**group, device_class); !usable)
      return usable.error().message;
  }
  if (!processes_.worker_runs(volume_group))
    return fmt::format("the worker of volume group {} is not running", volume_group);
  return {};
}

void HealthBoard::set(Service& service, std::string problem) {
  service.problem = std::move(problem);
  const auto status = service.problem.empty() ? HealthMessage::SERVING : HealthMessage::NOT_SERVING;
  service.statuses.publish([status] { return message_of(status); });
}

void HealthBoard::update_warnings(Service& service) const {
  const auto group = read_model_.group(service.volume_group);
  // While the group can't be read, the last warnings stay.
  if (!group) return;
  update_volumes_without_class(service, **group);
  const std::vector<GroupWarning> before =
      std::exchange(service.warnings, find_warnings(**group, *catalog_));
  const auto is_among = [](const std::vector<GroupWarning>& warnings, const GroupWarning& warning) {
    return std::ranges::find(warnings, warning.subject, &GroupWarning::subject) != warnings.end();
  };
  for (const GroupWarning& warning : service.warnings)
    if (!is_among(before, warning)) log::warning(warning.text, {{log::kVg, service.volume_group}});
  for (const GroupWarning& warning : before)
    if (!is_among(service.warnings, warning))
      log::notice(fmt::format("volume group {}: warning resolved: {}", service.volume_group,
                              warning.subject),
                  {{log::kVg, service.volume_group}});
  const std::string known = std::exchange(service.id, (*group)->id);
  if (!known.empty() && known != service.id)
    log::warning(fmt::format("volume group {} was replaced by another group of the same name: its "
                             "id is {}, it was {}",
                             service.volume_group, service.id, known),
                 {{log::kVg, service.volume_group}});
}

void HealthBoard::update_volumes_without_class(Service& service,
                                               const model::VolumeGroup& group) const {
  const VolumesWithoutClass before =
      std::exchange(service.without_class, find_volumes_without_class(group, *catalog_));
  const bool is_new = std::ranges::any_of(service.without_class, [&before](const auto& entry) {
    return !before.contains(entry.first);
  });
  if (is_new)
    log::warning(fmt::format("volume group {} has {}", service.volume_group,
                             describe(service.without_class)),
                 {{log::kVg, service.volume_group}});
}

void HealthBoard::refresh_group(Service& service) {
  const std::string& name = service.volume_group;
  std::string problem = problem_of(name);
  if (problem != service.problem) {
    if (problem.empty())
      log::notice(fmt::format("volume group {} is healthy", name), {{log::kVg, name}});
    else
      log::warning(fmt::format("volume group {} is not healthy: {}", name, problem),
                   {{log::kVg, name}});
  }
  set(service, std::move(problem));
  update_warnings(service);
}

void HealthBoard::refresh() {
  const std::lock_guard lock{mutex_};
  if (catalog_ == nullptr) return;
  std::string whole;
  for (auto& [name, service] : services_) {
    if (service.volume_group.empty() || !service.configured) continue;
    refresh_group(service);
    if (whole.empty()) whole = service.problem;
  }
  for (const std::string_view name : kWholeServices) set(services_.find(name)->second, whole);
}

std::string HealthBoard::age_of(const std::string& volume_group) const {
  const auto state = read_model_.find(volume_group);
  if (state == nullptr) return {};
  const bool observed = processes_.observer_runs(volume_group);
  const bool reported = state->group && state->group->source == model::StateSource::kReport;
  if (observed && !reported) return {};
  const auto age =
      std::chrono::duration_cast<std::chrono::seconds>(monotonic_now() - state->observed_at);
  return fmt::format("{}, and the state of volume group {} is {} s old",
                     observed ? "this layout is read from LVM's report, which is slow"
                              : "the observer is not running: changes made by hand are not seen",
                     volume_group, age.count());
}

std::string HealthBoard::warnings_of(const Service& service) const {
  std::string warning = describe(service.without_class);
  if (!warning.empty())
    warning = fmt::format("volume group {} has {}", service.volume_group, warning);
  for (const GroupWarning& known : service.warnings) append(warning, known.text);
  append(warning, age_of(service.volume_group));
  if (const auto step = processes_.worker_step(service.volume_group);
      step && !step->limit && monotonic_now() - step->since > kStuckAfter)
    append(
        warning,
        fmt::format(
            "\"{}\" has been running for {} s, and volume group {} accepts no "
            "changes meanwhile",
            step->what,
            std::chrono::duration_cast<std::chrono::seconds>(monotonic_now() - step->since).count(),
            service.volume_group));
  return warning;
}

Result<server::HealthReport> HealthBoard::check(std::string_view service) const {
  const std::lock_guard lock{mutex_};
  const auto found = services_.find(service);
  if (found == services_.end() || !found->second.configured)
    return fail(Code::kNotFound, "there is no health service \"{}\"", service);
  if (!found->second.problem.empty())
    return server::HealthReport{.serves = false, .reason = found->second.problem};
  if (!found->second.volume_group.empty())
    return server::HealthReport{.serves = true, .reason = warnings_of(found->second)};
  server::HealthReport report{.serves = true, .reason = {}};
  for (const auto& [name, other] : services_)
    if (!other.volume_group.empty() && other.configured) append(report.reason, warnings_of(other));
  return report;
}

server::Broadcast<HealthMessage>& HealthBoard::statuses(std::string_view service) {
  const std::lock_guard lock{mutex_};
  const auto found = services_.find(service);
  return found == services_.end() ? unknown_ : found->second.statuses;
}

void HealthBoard::end(const Error& reason) {
  const std::lock_guard lock{mutex_};
  for (auto& [name, service] : services_) service.statuses.end(reason);
  unknown_.end(reason);
}

}  // namespace lvmd::volumes
