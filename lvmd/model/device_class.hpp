// What lvmd.yaml offers to callers: device classes and lvcreate option classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/units.hpp"

namespace lvmd::model {

// Where the volumes of a thin class come from.
struct ThinPoolTarget {
  std::string name;
  // Virtual space offered per byte of pool; at least 1.
  double overprovision_ratio = 1.0;
  // Usage of the pool, in percent, from which nothing more is promised; above 0, at most 100.
  // Absent: no such mark.
  std::optional<double> data_high_water_percent{};
  std::optional<double> metadata_high_water_percent{};

  friend bool operator==(const ThinPoolTarget&, const ThinPoolTarget&) = default;
};

struct DeviceClass {
  std::string name;
  std::string volume_group;
  bool is_default = false;
  // Space that is never offered.
  Bytes spare{10 * kGiB};
  // 0: not striped.
  std::uint32_t stripes = 0;
  // As lvcreate -I takes it ("64k"); empty: LVM's default.
  std::string stripe_size;
  std::vector<std::string> lvcreate_options;
  // Set for a thin class, absent for a thick one.
  std::optional<ThinPoolTarget> thin_pool;

  [[nodiscard]] bool is_thin() const { return thin_pool.has_value(); }

  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

// A named set of lvcreate words that replaces a class's own stripe settings and options.
struct OptionClass {
  std::string name;
  std::vector<std::string> options;

  friend bool operator==(const OptionClass&, const OptionClass&) = default;
};

// Both lists of one configuration.
struct ClassCatalog {
  std::vector<DeviceClass> device_classes;
  std::vector<OptionClass> option_classes;

  // "" finds the default class. Null when there is no such class.
  [[nodiscard]] const DeviceClass* find_device_class(std::string_view name) const;
  // Null when there is no such option class.
  [[nodiscard]] const OptionClass* find_option_class(std::string_view name) const;

  friend bool operator==(const ClassCatalog&, const ClassCatalog&) = default;
};

}  // namespace lvmd::model
