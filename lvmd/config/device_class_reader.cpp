#include "lvmd/config/device_class_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/config/command_argument.hpp"
#include "lvmd/config/option_rules.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::config {
namespace {

using model::DeviceClass;

constexpr std::size_t kMaxClassNameLength = 63;
// The largest size in the wire protocol is 2^63 − 1 bytes.
constexpr std::uint64_t kMaxSpareGib = (std::uint64_t{1} << 33U) - 1;
// LVM's MAX_STRIPES.
constexpr std::uint64_t kMaxStripes = 128;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string read_class_name(Mapping& mapping) {
  const auto name = mapping.required_text("name");
  if (!name) return {};
  const auto allowed = [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
  };
  if (name->size() > kMaxClassNameLength)
    mapping.error("name", fmt::format("\"{}\" has {} characters, at most {} are allowed", *name,
                                      name->size(), kMaxClassNameLength));
  else if (!std::ranges::all_of(*name, allowed) || !is_alphanumeric(name->front()) ||
           !is_alphanumeric(name->back()))
    mapping.error("name", fmt::format("\"{}\" must be letters, digits, '-', '_' and '.', with a "
                                      "letter or digit at both ends",
                                      *name));
  return *name;
}

// The same rule applies to VG and LV names.
std::string read_lvm_name(Mapping& mapping, std::string_view key, std::string_view what) {
  const auto name = mapping.required_text(key);
  if (!name) return {};
  if (const Status valid = model::check_lv_name(what, *name); !valid)
    mapping.error(key, valid.error().message);
  return *name;
}

// TopoLVM's rule (?i)^[0-9]*[kmgtpebs]?$ also accepts "" and "k".
std::string read_stripe_size(Mapping& mapping) {
  auto size = mapping.text("stripe-size").value_or("");
  const std::size_t unit = std::min(size.find_first_not_of("0123456789"), size.size());
  const bool unit_is_valid =
      unit == size.size() ||
      (unit + 1 == size.size() && std::string_view{"kmgtpebsKMGTPEBS"}.contains(size.back()));
  if (!unit_is_valid) {
    mapping.error("stripe-size",
                  fmt::format("\"{}\" must be digits and one of k, m, g, t, p, e, b, s", size));
  } else if (unit == 0 && !size.empty()) {
    mapping.warning("stripe-size", fmt::format("\"{}\" has no digits and is ignored", size));
    size.clear();
  }
  return size;
}

void read_layout(Mapping& mapping, DeviceClass& device_class) {
  device_class.stripes =
      static_cast<std::uint32_t>(mapping.whole_number("stripe", kMaxStripes).value_or(0));
  device_class.stripe_size = read_stripe_size(mapping);
  if (device_class.stripes == 0 && !device_class.stripe_size.empty()) {
    mapping.warning("stripe-size", "is ignored without stripe");
    device_class.stripe_size.clear();
  }
  std::vector<ListItem> options = read_command_arguments(mapping, "lvcreate-options");
  check_options(mapping, options,
                device_class.is_thin() ? OptionsOf::kThinClass : OptionsOf::kThickClass);
  const ListItem* const stripes = find_option(options, "stripes");
  if (stripes != nullptr && device_class.stripes != 0)
    mapping.error(*stripes,
                  fmt::format("{} conflicts with stripe: use only one of them", stripes->text));
  const ListItem* const stripe_size = find_option(options, "stripesize");
  if (stripe_size != nullptr && !device_class.stripe_size.empty())
    mapping.error(*stripe_size, fmt::format("{} conflicts with stripe-size: use only one of them",
                                            stripe_size->text));
  for (ListItem& option : options) device_class.lvcreate_options.push_back(std::move(option.text));
}

bool read_is_thin(Mapping& mapping) {
  const auto type = mapping.text("type").value_or("");
  if (!type.empty() && type != "thick" && type != "thin")
    mapping.error("type", fmt::format("\"{}\" must be \"thick\" or \"thin\"", type));
  return type == "thin";
}

std::optional<double> read_mark(Mapping& pool, std::string_view key) {
  const auto percent = pool.number(key);
  const bool in_range = percent && *percent > 0 && *percent <= 100;
  if (percent && !in_range)
    pool.error(key, fmt::format("must be a number above 0 and at most 100: {}", *percent));
  return percent;
}

void read_thin_pool(Mapping& mapping, DeviceClass& device_class) {
  const bool is_thin = read_is_thin(mapping);
  const bool is_given = mapping.has("thin-pool");
  if (is_thin && !is_given) mapping.error("thin-pool", "is required because type is thin");
  if (!is_thin && is_given) mapping.warning("thin-pool", "is ignored because type is not thin");
  if (!is_thin) return;
  model::ThinPoolTarget& target = device_class.thin_pool.emplace();
  auto pool = mapping.mapping("thin-pool");
  if (!pool) return;
  target.name = read_lvm_name(*pool, "name", "thin pool");
  if (!pool->has("overprovision-ratio")) pool->error("overprovision-ratio", "is required");
  if (const auto ratio = pool->number("overprovision-ratio")) {
    // In this form, .nan fails too.
    if (!(*ratio >= 1.0) || std::isinf(*ratio))
      pool->error("overprovision-ratio",
                  fmt::format("must be a number of at least 1.0: {}", *ratio));
    target.overprovision_ratio = *ratio;
  }
  target.data_high_water_percent = read_mark(*pool, "data-high-water-percent");
  target.metadata_high_water_percent = read_mark(*pool, "metadata-high-water-percent");
  pool->report_unknown_keys();
}

DeviceClass read_device_class(Mapping& mapping) {
  DeviceClass device_class;
  device_class.name = read_class_name(mapping);
  device_class.volume_group = read_lvm_name(mapping, "volume-group", "volume group");
  device_class.is_default = mapping.boolean("default").value_or(false);
  if (const auto spare = mapping.whole_number("spare-gb", kMaxSpareGib))
    device_class.spare = {*spare * model::kGiB};
  read_thin_pool(mapping, device_class);
  read_layout(mapping, device_class);
  mapping.report_unknown_keys();
  return device_class;
}

std::string pool_name(const DeviceClass& device_class) {
  return device_class.thin_pool ? device_class.thin_pool->name : "";
}

// Reports values that the class of `mapping` must not share with an earlier class.
void check_unique(const Mapping& mapping, const DeviceClass& device_class,
                  const DeviceClass& earlier) {
  if (device_class.name == earlier.name && !device_class.name.empty())
    mapping.error("name", fmt::format("\"{}\" is the name of two device classes", earlier.name));
  if (device_class.is_default && earlier.is_default)
    mapping.error("default",
                  fmt::format("device class \"{}\" is already the default", earlier.name));
  if (device_class.volume_group != earlier.volume_group || device_class.volume_group.empty() ||
      device_class.is_thin() != earlier.is_thin() || pool_name(device_class) != pool_name(earlier))
    return;
  if (!device_class.is_thin())
    mapping.error("volume-group", fmt::format("\"{}\" already has the thick device class \"{}\"",
                                              device_class.volume_group, earlier.name));
  else if (!pool_name(device_class).empty())
    mapping.error("thin-pool",
                  fmt::format("\"{}/{}\" is already the pool of device class \"{}\"",
                              device_class.volume_group, pool_name(device_class), earlier.name));
}

}  // namespace

std::vector<DeviceClass> read_device_classes(Mapping& root) {
  std::vector<DeviceClass> classes;
  auto items = root.mappings("device-classes");
  if (items && items->empty()) root.error("device-classes", "at least one is required");
  if (!items) return classes;
  for (Mapping& item : *items) {
    DeviceClass device_class = read_device_class(item);
    for (const DeviceClass& earlier : classes) check_unique(item, device_class, earlier);
    classes.push_back(std::move(device_class));
  }
  return classes;
}

}  // namespace lvmd::config
