#include "lvmd/csi/storage_health.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

namespace lvmd::csi {
namespace {

using ::csi::v1::NodeGetStorageHealthResponse;

// Two entries must not have status and reason in common.
void add(NodeGetStorageHealthResponse& response, ::csi::v1::StorageHealthErrorType status,
         std::string_view reason, const std::string& message) {
  for (auto& entry : *response.mutable_backend_health())
    if (entry.status() == status && entry.reason() == reason)
      return entry.set_message(entry.message() + "; " + message);
  auto& entry = *response.add_backend_health();
  entry.set_status(status);
  entry.set_reason(std::string{reason});
  entry.set_message(message);
}

}  // namespace

NodeGetStorageHealthResponse storage_health(const model::ClassCatalog& catalog,
                                            const volumes::ReadModel& read_model,
                                            const server::HealthSource& health) {
  std::set<std::string_view> names;
  for (const model::DeviceClass& device_class : catalog.device_classes)
    names.insert(device_class.volume_group);
  NodeGetStorageHealthResponse response;
  for (const std::string_view name : names) {
    if (const auto group = read_model.group(name); !group) {
      add(response, ::csi::v1::STORAGE_UNREACHABLE, "VolumeGroupUnavailable",
          group.error().message);
      continue;
    }
    const auto report = health.check(fmt::format("vg/{}", name));
    // Absent for a group that a reload has removed since.
    if (!report || report->reason.empty()) continue;
    add(response, ::csi::v1::STORAGE_DEGRADED,
        report->serves ? "VolumeGroupWarning" : "VolumeGroupNotServing", report->reason);
  }
  return response;
}

}  // namespace lvmd::csi
