#include "lvmd/volumes/observer/pool_usage.hpp"

#include <algorithm>
#include <cmath>

#include "lvmd/model/pool_health.hpp"

namespace lvmd::volumes::observer {
namespace {

// LVM's report has two decimal digits.
constexpr double kReportPrecision = 0.01;

bool is_same(const std::optional<model::PoolUsage>& known,
             const std::optional<model::PoolUsage>& now, double precision) {
  if (!known || !now) return known.has_value() == now.has_value();
  return std::abs(known->data_percent - now->data_percent) <= precision &&
         std::abs(known->metadata_percent - now->metadata_percent) <= precision;
}

bool is_same(const std::optional<model::PoolCondition>& known,
             const std::optional<model::ThinPoolState>& now) {
  if (!known || !now) return known.has_value() == now.has_value();
  return known->kernel == model::kernel_health(*now) &&
         known->kernel_transaction == now->transaction_id;
}

}  // namespace

bool usage_differs(const model::VolumeGroup& group, const PoolQuery& query) {
  return std::ranges::any_of(group.logical_volumes, [&](const model::LogicalVolume& lv) {
    if (lv.role != model::LvRole::kThinPool) return false;
    const auto pool = query(group.id, lv.id);
    if (!pool) return true;
    if (!is_same(lv.pool_condition, *pool)) return true;
    return !is_same(lv.usage, *pool ? (*pool)->usage : std::nullopt,
                    group.source == model::StateSource::kReport ? kReportPrecision : 0);
  });
}

bool redundancy_differs(const model::VolumeGroup& group, const RedundancyQuery& query) {
  return std::ranges::any_of(group.logical_volumes, [&](const model::LogicalVolume& lv) {
    if (!lv.redundancy) return false;
    const auto now = query(group.id, lv.id);
    return !now || *now != lv.redundancy;
  });
}

}  // namespace lvmd::volumes::observer
