#include "lvmd/devmapper/device_name.hpp"

#include <algorithm>
#include <array>

#include "lvmd/model/mapped_name.hpp"

namespace lvmd::devmapper {
namespace {

constexpr std::string_view kUuidPrefix = "LVM-";
constexpr std::size_t kIdLength = 32;
// Suffixes of a volume's own device. They only prevent that udev scans it.
constexpr std::array<std::string_view, 5> kOwnSuffixes{"", "-pool", "-tdata", "-tmeta", "-cvol"};
constexpr std::string_view kThinPoolSuffix = "-tpool";
constexpr std::string_view kRealSuffix = "-real";
constexpr std::array<std::string_view, 2> kCachePartSuffixes{"-cdata", "-cmeta"};

}  // namespace

std::string device_name_prefix(std::string_view vg_name) { return model::mapped_name(vg_name, ""); }

std::optional<VolumeDevice> parse_device_uuid(std::string_view uuid, std::string_view vg_id) {
  if (vg_id.size() != kIdLength || uuid.size() < kUuidPrefix.size() + 2 * kIdLength ||
      !uuid.starts_with(kUuidPrefix) || uuid.substr(kUuidPrefix.size(), kIdLength) != vg_id)
    return std::nullopt;
  const std::string_view lv_id = uuid.substr(kUuidPrefix.size() + kIdLength, kIdLength);
  const std::string_view suffix = uuid.substr(kUuidPrefix.size() + 2 * kIdLength);
  VolumeDevice device{.lv_id = std::string{lv_id}, .layer = DeviceLayer::kInner};
  if (suffix == kThinPoolSuffix) {
    device.layer = DeviceLayer::kThinPool;
  } else if (suffix == kRealSuffix) {
    device.layer = DeviceLayer::kReal;
  } else if (std::ranges::find(kCachePartSuffixes, suffix) != kCachePartSuffixes.end()) {
    device.layer = DeviceLayer::kCachePart;
  } else if (std::ranges::find(kOwnSuffixes, suffix) != kOwnSuffixes.end()) {
    device.layer = DeviceLayer::kVolume;
  }
  return device;
}

}  // namespace lvmd::devmapper
