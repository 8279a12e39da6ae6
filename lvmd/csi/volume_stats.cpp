#include "lvmd/csi/volume_stats.hpp"

#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"

namespace lvmd::csi {
namespace {

using ::csi::v1::VolumeUsage;

void add(::csi::v1::NodeGetVolumeStatsResponse& stats, VolumeUsage::Unit unit,
         const v1::Capacity& capacity) {
  VolumeUsage& usage = *stats.add_usage();
  usage.set_unit(unit);
  usage.set_total(static_cast<std::int64_t>(capacity.total()));
  usage.set_used(static_cast<std::int64_t>(capacity.used()));
  usage.set_available(static_cast<std::int64_t>(capacity.available()));
}

}  // namespace

::csi::v1::NodeGetVolumeStatsResponse to_stats(const v1::GetUsageResponse& usage) {
  ::csi::v1::NodeGetVolumeStatsResponse stats;
  if (!usage.has_bytes()) {
    VolumeUsage& device = *stats.add_usage();
    device.set_unit(VolumeUsage::BYTES);
    device.set_total(usage.volume_bytes());
    return stats;
  }
  add(stats, VolumeUsage::BYTES, usage.bytes());
  if (usage.has_inodes()) add(stats, VolumeUsage::INODES, usage.inodes());
  return stats;
}

mounts::MountResult as_stats_result(mounts::MountResult result) {
  if (!result && result.error().reason == reason::kNotMounted)
    result.error().code = Code::kNotFound;
  return result;
}

mounts::MountResult as_health_result(mounts::MountResult result) {
  if (!result && result.error().reason == reason::kNotMounted) return internal::MountReply{};
  return result;
}

}  // namespace lvmd::csi
