#include "lvmd/volumes/worker/space.hpp"

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/metadata_space.hpp"

namespace lvmd::volumes::worker {
namespace {

std::unexpected<Error> no_space(const model::DeviceClass& device_class, model::Bytes free,
                                model::Bytes requested) {
  return fail(Code::kResourceExhausted,
              "no enough space left on VG: free={}, requested={} (device class {}, volume group "
              "{}, spare {} bytes)",
              free.value, requested.value, device_class.name, device_class.volume_group,
              device_class.spare.value)
      .because(reason::kNotEnoughSpace)
      .with(key::kDeviceClass, device_class.name)
      .with(key::kRequested, requested.value)
      .with(key::kAvailable, free.value);
}

}  // namespace

Status check_space(const model::VolumeGroup& group, const model::DeviceClass& device_class,
                   const model::OptionClass* option_class, model::Bytes needed) {
  const auto free = model::available(group, device_class, option_class);
  if (!free) return std::unexpected(free.error());
  if (auto fits = model::check_metadata_space(group, model::kLeastVolumeText); !fits) return fits;
  if (device_class.is_thin())
    if (auto low = model::check_pool_space(group, *device_class.thin_pool); !low) return low;
  if (needed > *free) return no_space(device_class, *free, needed);
  return {};
}

// Where a volume with several stripes or images can grow depends on its extents, which the state
// does not contain. So this checks only the upper limit; LVM may still refuse the growth.
Status check_growth(const model::VolumeGroup& group, const model::DeviceClass& device_class,
                    const model::Layout& layout, model::Bytes growth) {
  if (device_class.is_thin()) return check_space(group, device_class, nullptr, growth);
  if (auto complete = model::check_complete(group); !complete) return complete;
  if (auto fits = model::check_metadata_space(group, model::kLeastVolumeText); !fits) return fits;
  const model::Bytes free = model::minus_floor_zero(
      model::most_growth(group, layout.areas(), layout.stripes), device_class.spare);
  if (growth > free) return no_space(device_class, free, growth);
  return {};
}

}  // namespace lvmd::volumes::worker
