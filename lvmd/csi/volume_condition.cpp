#include "lvmd/csi/volume_condition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "lvmd/base/files.hpp"
#include "lvmd/model/pool_health.hpp"

namespace lvmd::csi {
namespace {

bool is_suspended(const internal::VolumeDevice& device, const std::string& block_devices) {
  return first_line(fmt::format("{}/{}:{}/dm/suspended", block_devices, device.major(),
                                device.minor())) == "1";
}

std::vector<std::string> problems_of(const volumes::HandledVolume& volume) {
  std::vector<std::string> problems;
  const model::LogicalVolume& lv = *volume.volume;
  if (lv.partial) problems.emplace_back("a physical volume of the volume is missing");
  if (lv.redundancy == model::Redundancy::kDegraded)
    problems.emplace_back("a leg of the volume has failed");
  const model::LogicalVolume* const pool = lv.pool.empty() ? nullptr : volume.group->find(lv.pool);
  if (pool != nullptr && pool->pool_condition &&
      pool->pool_condition->health() != model::PoolHealth::kOk)
    problems.push_back(fmt::format("the state of thin pool {}/{} is {}", volume.group->name,
                                   lv.pool, model::to_string(pool->pool_condition->health())));
  return problems;
}

}  // namespace

::csi::v1::VolumeCondition condition_of(const volumes::HandledVolume& volume,
                                        const v1::GetUsageResponse& usage,
                                        const std::string& block_devices) {
  std::vector<std::string> problems = problems_of(volume);
  if (is_suspended(volume.device, block_devices))
    problems.emplace_back("the device of the volume is suspended");
  for (const v1::FileSystemError& error : usage.errors())
    problems.push_back(fmt::format("the kernel has recorded errors of the file system: {} is {}",
                                   error.kind(), error.count()));
  ::csi::v1::VolumeCondition condition;
  condition.set_abnormal(!problems.empty());
  condition.set_message(problems.empty() ? "no problem is known"
                                         : fmt::format("{}", fmt::join(problems, "; ")));
  return condition;
}

}  // namespace lvmd::csi
