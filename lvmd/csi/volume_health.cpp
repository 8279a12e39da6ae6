#include "lvmd/csi/volume_health.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/files.hpp"
#include "lvmd/model/pool_health.hpp"

namespace lvmd::csi {
namespace {

using ::csi::v1::VolumeHealth;
using model::PoolHealth;

void add(VolumeHealth& health, ::csi::v1::VolumeHealthErrorType status, std::string_view reason,
         std::string message) {
  auto& entry = *health.add_health_statuses();
  entry.set_status(status);
  entry.set_reason(std::string{reason});
  entry.set_message(std::move(message));
}

void add_problems_of_volume(VolumeHealth& health, const model::LogicalVolume& lv) {
  const bool is_degraded = lv.redundancy == model::Redundancy::kDegraded;
  if (lv.partial)
    add(health, is_degraded ? ::csi::v1::DEGRADED : ::csi::v1::INACCESSIBLE,
        "PhysicalVolumeMissing", "a physical volume of the volume is missing");
  if (is_degraded) add(health, ::csi::v1::DEGRADED, "LegFailed", "a leg of the volume has failed");
}

void add_problem_of_pool(VolumeHealth& health, const volumes::HandledVolume& volume) {
  const std::string& name = volume.volume->pool;
  const model::LogicalVolume* const pool = name.empty() ? nullptr : volume.group->find(name);
  if (pool == nullptr || !pool->pool_condition) return;
  const PoolHealth state = pool->pool_condition->health();
  if (state == PoolHealth::kOk) return;
  const bool has_failed = state == PoolHealth::kFailed || state == PoolHealth::kError;
  add(health, has_failed ? ::csi::v1::INACCESSIBLE : ::csi::v1::DEGRADED,
      has_failed ? "ThinPoolFailed" : "ThinPoolDegraded",
      fmt::format("the state of thin pool {}/{} is {}", volume.group->name, name,
                  model::to_string(state)));
}

void add_problem_of_device(VolumeHealth& health, const internal::VolumeDevice& device,
                           const std::string& block_devices) {
  if (device.major() == 0)
    return add(health, ::csi::v1::INACCESSIBLE, "VolumeInactive",
               "the volume is inactive, so it has no device");
  const std::string suspended =
      fmt::format("{}/{}:{}/dm/suspended", block_devices, device.major(), device.minor());
  if (first_line(suspended) == "1")
    add(health, ::csi::v1::INACCESSIBLE, "DeviceSuspended",
        "the device of the volume is suspended");
}

void add_problem_of_file_system(VolumeHealth& health, const v1::GetUsageResponse& usage) {
  std::vector<std::string> counts;
  for (const v1::FileSystemError& error : usage.errors())
    counts.push_back(fmt::format("{} is {}", error.kind(), error.count()));
  if (!counts.empty())
    add(health, ::csi::v1::DEGRADED, "FileSystemErrors",
        fmt::format("the kernel has recorded errors of the file system: {}",
                    fmt::join(counts, ", ")));
}

}  // namespace

VolumeHealth health_of(const volumes::HandledVolume& volume, const v1::GetUsageResponse& usage,
                       const std::string& block_devices) {
  VolumeHealth health;
  health.set_volume_id(volume.volume->name);
  add_problems_of_volume(health, *volume.volume);
  add_problem_of_pool(health, volume);
  add_problem_of_device(health, volume.device, block_devices);
  add_problem_of_file_system(health, usage);
  return health;
}

::csi::v1::VolumeCondition condition_of(const VolumeHealth& health) {
  std::vector<std::string_view> problems;
  for (const auto& entry : health.health_statuses()) problems.push_back(entry.message());
  ::csi::v1::VolumeCondition condition;
  condition.set_abnormal(!problems.empty());
  condition.set_message(problems.empty() ? "no problem is known"
                                         : fmt::format("{}", fmt::join(problems, "; ")));
  return condition;
}

}  // namespace lvmd::csi
