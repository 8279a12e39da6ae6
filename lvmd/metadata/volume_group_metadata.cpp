#include "lvmd/metadata/volume_group_metadata.hpp"

#include <algorithm>
#include <utility>

namespace lvmd::metadata {

const LvMetadata* VolumeGroupMetadata::find(std::string_view lv_name) const {
  const auto found = std::ranges::lower_bound(logical_volumes, lv_name, {}, &LvMetadata::name);
  return found != logical_volumes.end() && found->name == lv_name ? &*found : nullptr;
}

LvMetadata* VolumeGroupMetadata::find(std::string_view lv_name) {
  return const_cast<LvMetadata*>(std::as_const(*this).find(lv_name));
}

}  // namespace lvmd::metadata
