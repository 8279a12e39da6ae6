#include "csi/controller/parameters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace lvmd::controller {
namespace {

constexpr std::array<std::string_view, 2> kPrefixes{"topolvm.io/", "topolvm.cybozu.com/"};
constexpr std::string_view kDeviceClass = "device-class";
constexpr std::string_view kOptionClass = "lvcreate-option-class";
constexpr std::string_view kMode = "snapshotMode";
constexpr std::string_view kOnline = "online";
constexpr std::array kVolumeKeys{kDeviceClass, kOptionClass};
// The reconciler reads the storage from the class itself.
constexpr std::array<std::string_view, 3> kSnapshotKeys{kMode, "snapshotStorageName",
                                                        "snapshotStorageNamespace"};

// The key without its prefix; absent: it has none of ours.
std::optional<std::string_view> own_part(std::string_view key) {
  for (const std::string_view prefix : kPrefixes)
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  return std::nullopt;
}

using OwnParameters = std::map<std::string, std::string, std::less<>>;

Result<OwnParameters> read(const ParameterMap& parameters, std::span<const std::string_view> keys) {
  OwnParameters found;
  for (const auto& [key, value] : parameters) {
    const auto own = own_part(key);
    if (!own) continue;
    if (std::ranges::count(keys, *own) == 0)
      return fail(Code::kInvalidArgument, "parameter {} is unknown: correct or remove it", key)
          .about("parameters", key);
    const auto [other, is_new] = found.emplace(*own, value);
    if (!is_new && other->second != value)
      return fail(Code::kInvalidArgument,
                  "parameter {} is set for topolvm.io to another value than for "
                  "topolvm.cybozu.com: remove one of the two",
                  *own)
          .about("parameters", *own);
  }
  return found;
}

std::string take(OwnParameters& parameters, std::string_view key) {
  const auto found = parameters.find(key);
  return found == parameters.end() ? std::string{} : std::move(found->second);
}

}  // namespace

Result<VolumeParameters> parse_volume_parameters(const ParameterMap& parameters) {
  auto found = read(parameters, kVolumeKeys);
  if (!found) return std::unexpected(std::move(found.error()));
  return VolumeParameters{.device_class = take(*found, kDeviceClass),
                          .lvcreate_option_class = take(*found, kOptionClass)};
}

Result<bool> wants_online_snapshot(const ParameterMap& parameters) {
  auto found = read(parameters, kSnapshotKeys);
  if (!found) return std::unexpected(std::move(found.error()));
  return take(*found, kMode) == kOnline;
}

}  // namespace lvmd::controller
