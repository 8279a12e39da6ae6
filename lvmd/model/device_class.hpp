// The device classes and lvcreate option classes of lvmd.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/units.hpp"

namespace lvmd::model {

// The thin pool of a thin class, and its limits.
struct ThinPoolTarget {
  std::string name;
  // Virtual space per byte of the pool; at least 1.
  double overprovision_ratio = 1.0;
  // High-water marks [P-THIN-1]: at this usage in percent, lvmd provisions no more space. Above 0
  // and at most 100. Absent: no mark.
  std::optional<double> data_high_water_percent{};
  std::optional<double> metadata_high_water_percent{};

  friend bool operator==(const ThinPoolTarget&, const ThinPoolTarget&) = default;
};

struct DeviceClass {
  std::string name;
  std::string volume_group;
  bool is_default = false;
  // Space that lvmd does not give to volumes.
  Bytes spare{10 * kGiB};
  // 0: not striped.
  std::uint32_t stripes = 0;
  // The value of lvcreate -I ("64k"). Empty: LVM's default.
  std::string stripe_size;
  std::vector<std::string> lvcreate_options;
  // Present for a thin class, absent for a thick class.
  std::optional<ThinPoolTarget> thin_pool{};

  [[nodiscard]] bool is_thin() const { return thin_pool.has_value(); }

  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

// A named list of lvcreate arguments. It replaces the stripe settings and options of a class.
struct OptionClass {
  std::string name;
  std::vector<std::string> options;

  friend bool operator==(const OptionClass&, const OptionClass&) = default;
};

// All classes of one configuration.
struct ClassCatalog {
  std::vector<DeviceClass> device_classes;
  std::vector<OptionClass> option_classes;

  // "" selects the default class. Null if the class does not exist.
  [[nodiscard]] const DeviceClass* find_device_class(std::string_view name) const;
  // Null if the option class does not exist.
  [[nodiscard]] const OptionClass* find_option_class(std::string_view name) const;

  friend bool operator==(const ClassCatalog&, const ClassCatalog&) = default;
};

}  // namespace lvmd::model
