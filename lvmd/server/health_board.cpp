#include "lvmd/server/health_board.hpp"

#include <array>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/model/available.hpp"

namespace lvmd::server {
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

}  // namespace

HealthBoard::HealthBoard(const model::ClassCatalog& catalog,
                         const std::vector<std::string>& volume_groups, const ReadModel& read_model,
                         std::function<bool(std::string_view)> worker_runs)
    : catalog_(catalog),
      volume_groups_(volume_groups),
      read_model_(read_model),
      worker_runs_(std::move(worker_runs)) {
  for (const std::string_view name : kWholeServices) services_.try_emplace(std::string{name});
  for (const std::string& name : volume_groups_) services_.try_emplace(service_name(name));
  unknown_.publish([] { return message_of(HealthMessage::SERVICE_UNKNOWN); });
}

std::string HealthBoard::trouble_of(const std::string& volume_group) const {
  const auto group = read_model_.group(volume_group);
  if (!group) return group.error().message;
  for (const model::DeviceClass& device_class : catalog_.device_classes) {
    if (device_class.volume_group != volume_group || !device_class.thin_pool) continue;
    const auto pool = model::find_thin_pool(**group, *device_class.thin_pool);
    if (!pool) return pool.error().message;
  }
  if (!worker_runs_(volume_group))
    return fmt::format("the worker of volume group {} is not running", volume_group);
  return {};
}

void HealthBoard::set(Service& service, std::string trouble) {
  service.trouble = std::move(trouble);
  const auto status = service.trouble.empty() ? HealthMessage::SERVING : HealthMessage::NOT_SERVING;
  service.statuses.publish([status] { return message_of(status); });
}

void HealthBoard::refresh() {
  const std::lock_guard lock{mutex_};
  std::string whole;
  for (const std::string& name : volume_groups_) {
    Service& service = services_.find(service_name(name))->second;
    std::string trouble = trouble_of(name);
    if (trouble != service.trouble) {
      if (trouble.empty())
        log::notice(fmt::format("volume group {} is healthy", name), {{log::kVg, name}});
      else
        log::warning(fmt::format("volume group {} is not healthy: {}", name, trouble),
                     {{log::kVg, name}});
    }
    if (whole.empty()) whole = trouble;
    set(service, std::move(trouble));
  }
  for (const std::string_view name : kWholeServices) set(services_.find(name)->second, whole);
}

Result<std::optional<std::string>> HealthBoard::check(std::string_view service) const {
  const std::lock_guard lock{mutex_};
  const auto found = services_.find(service);
  if (found == services_.end())
    return fail(Code::kNotFound, "health knows no service \"{}\"", service);
  if (found->second.trouble.empty()) return std::nullopt;
  return found->second.trouble;
}

Broadcast<HealthMessage>& HealthBoard::statuses(std::string_view service) {
  const auto found = services_.find(service);
  return found == services_.end() ? unknown_ : found->second.statuses;
}

void HealthBoard::end(const Error& reason) {
  for (auto& [name, service] : services_) service.statuses.end(reason);
  unknown_.end(reason);
}

}  // namespace lvmd::server
