#include "lvmd/volumes/service/usage_news.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lvmd::volumes {
namespace {

constexpr double kStep = 0.1;
// 10.3 − 10.2 is a little less than 0.1 in binary.
constexpr double kRounding = 1e-9;

bool is_step(double told, double newer, std::optional<double> mark) {
  if (std::abs(newer - told) >= kStep - kRounding) return true;
  return mark && (told >= *mark) != (newer >= *mark);
}

// The percentages of `told` in the place of those of `newer`, where they are no news.
void level(const model::ClassCatalog& catalog, const proto::WatchItem& told,
           proto::WatchItem& newer) {
  if (!told.has_thin_pool() || !newer.has_thin_pool()) return;
  const model::DeviceClass* const device_class = catalog.find_device_class(newer.device_class());
  if (device_class == nullptr || !device_class->thin_pool) return;
  const model::ThinPoolTarget& pool = *device_class->thin_pool;
  const proto::ThinPoolItem& before = told.thin_pool();
  proto::ThinPoolItem& after = *newer.mutable_thin_pool();
  if (!is_step(before.data_percent(), after.data_percent(), pool.data_high_water_percent))
    after.set_data_percent(before.data_percent());
  if (!is_step(before.metadata_percent(), after.metadata_percent(),
               pool.metadata_high_water_percent))
    after.set_metadata_percent(before.metadata_percent());
}

}  // namespace

bool is_news(const model::ClassCatalog& catalog, const proto::WatchResponse& told,
             const proto::WatchResponse& newer) {
  proto::WatchResponse leveled = newer;
  const int items = std::min(told.items_size(), leveled.items_size());
  for (int i = 0; i < items; ++i)
    if (told.items(i).device_class() == leveled.items(i).device_class())
      level(catalog, told.items(i), *leveled.mutable_items(i));
  return leveled.SerializeAsString() != told.SerializeAsString();
}

}  // namespace lvmd::volumes
