#include "lvmd/volumes/service/watch_changes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lvmd::volumes {
namespace {

constexpr double kStep = 0.1;
// 10.3 − 10.2 is a little less than 0.1 in binary.
constexpr double kRounding = 1e-9;

bool is_step(double sent, double newer, std::optional<double> high_water) {
  if (std::abs(newer - sent) >= kStep - kRounding) return true;
  return high_water && (sent >= *high_water) != (newer >= *high_water);
}

// Copies percentages from `sent` to `newer` whose difference is not significant.
void keep_small_changes(const model::ClassCatalog& catalog, const proto::WatchItem& sent,
                        proto::WatchItem& newer) {
  if (!sent.has_thin_pool() || !newer.has_thin_pool()) return;
  const model::DeviceClass* const device_class = catalog.find_device_class(newer.device_class());
  if (device_class == nullptr || !device_class->thin_pool) return;
  const model::ThinPoolTarget& pool = *device_class->thin_pool;
  const proto::ThinPoolItem& before = sent.thin_pool();
  proto::ThinPoolItem& after = *newer.mutable_thin_pool();
  if (!is_step(before.data_percent(), after.data_percent(), pool.data_high_water_percent))
    after.set_data_percent(before.data_percent());
  if (!is_step(before.metadata_percent(), after.metadata_percent(),
               pool.metadata_high_water_percent))
    after.set_metadata_percent(before.metadata_percent());
}

}  // namespace

bool is_significant_change(const model::ClassCatalog& catalog, const proto::WatchResponse& sent,
                           const proto::WatchResponse& newer) {
  proto::WatchResponse compared = newer;
  const int items = std::min(sent.items_size(), compared.items_size());
  for (int i = 0; i < items; ++i)
    if (sent.items(i).device_class() == compared.items(i).device_class())
      keep_small_changes(catalog, sent.items(i), *compared.mutable_items(i));
  return compared.SerializeAsString() != sent.SerializeAsString();
}

}  // namespace lvmd::volumes
