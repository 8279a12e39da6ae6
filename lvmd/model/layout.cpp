#include "lvmd/model/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "lvmd/base/parse_number.hpp"
#include "lvmd/model/lvcreate_arguments.hpp"

namespace lvmd::model {
namespace {

// Digits and a unit; the default unit is MiB. Fractions and powers of 1000 are not supported.
std::optional<Bytes> parse_region_size(std::string_view text) {
  constexpr std::string_view kUnits = "kmgt";
  unsigned shift = 20;
  if (!text.empty()) {
    const std::size_t unit = kUnits.find(text.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  const auto count = parse_number<std::uint32_t>(text);
  if (!count || *count == 0) return std::nullopt;
  return Bytes{std::uint64_t{*count} << shift};
}

bool is_raid5(std::string_view type) {
  return type == "raid4" || type == "raid5" || type.starts_with("raid5_");
}

bool is_raid6(std::string_view type) { return type == "raid6" || type.starts_with("raid6_"); }

// The values that the arguments set, without LVM's defaults.
struct Given {
  std::string_view type;
  std::optional<std::uint32_t> mirrors;
  std::optional<std::uint32_t> stripes;
  std::optional<std::uint32_t> logs;
};

class Reader {
 public:
  Layout read(std::span<const std::string> arguments) && {
    for (const LvcreateArgument& argument : parse_lvcreate_arguments(arguments)) {
      if (argument.kind == ArgumentKind::kOption)
        read_option(argument);
      else if (argument.kind == ArgumentKind::kOperand)
        read_operand(argument.value);
      else
        layout_.computable = false;
    }
    apply_type();
    return std::move(layout_);
  }

 private:
  void require(bool condition) { layout_.computable = layout_.computable && condition; }

  void read_option(const LvcreateArgument& argument) {
    if (argument.option == "type")
      given_.type = argument.value;
    else if (argument.option == "mirrors")
      read_count(argument.value, given_.mirrors);
    else if (argument.option == "stripes")
      read_count(argument.value, given_.stripes);
    else if (argument.option == "mirrorlog")
      read_log(argument.value);
    else if (argument.option == "corelog")
      given_.logs = 0;
    else if (argument.option == "regionsize")
      read_region_size(argument.value);
    else if (argument.option == "alloc")
      read_policy(argument.value);
    else if (argument.option == "contiguous")
      read_contiguous(argument.value);
    else
      require(!argument.affects_space);
  }

  void read_count(std::string_view text, std::optional<std::uint32_t>& into) {
    into = parse_number<std::uint32_t>(text);
    require(into.has_value());
  }

  void read_log(std::string_view log) {
    require(log == "core" || log == "disk");
    given_.logs = log == "core" ? 0 : 1;
  }

  void read_region_size(std::string_view text) {
    const auto size = parse_region_size(text);
    require(size.has_value());
    if (size) layout_.region_size = *size;
  }

  void read_policy(std::string_view policy) {
    if (policy == "contiguous")
      layout_.policy = AllocationPolicy::kContiguous;
    else if (policy == "cling")
      layout_.policy = AllocationPolicy::kCling;
    else
      require(policy == "normal" || policy == "inherit");
  }

  void read_contiguous(std::string_view value) {
    require(value == "y" || value == "n");
    if (value == "y") layout_.policy = AllocationPolicy::kContiguous;
  }

  // "/dev/sdb". lvmd cannot compute "/dev/sdb:<extents>" and "@<tag>" from the group's state.
  void read_operand(std::string_view operand) {
    require(operand.starts_with('/') && !operand.contains(':'));
    layout_.devices.emplace_back(operand);
  }

  std::string_view type_or_default() const {
    if (!given_.type.empty()) return given_.type;
    if (given_.mirrors.value_or(0) == 0) return "striped";
    return given_.stripes.value_or(1) > 1 ? "raid10" : "raid1";
  }

  void apply_type() {
    const std::string_view type = type_or_default();
    const std::uint32_t copies = given_.mirrors.value_or(1) + 1;
    if (type == "linear" || type == "striped") {
      layout_.stripes = stripes_or(1);
      require(given_.mirrors.value_or(0) == 0 && !given_.logs);
      require(type == "striped" || layout_.stripes == 1);
    } else if (type == "mirror") {
      layout_.stripes = stripes_or(1);
      layout_.copies = copies;
      layout_.logs = given_.logs.value_or(1);
      require(copies > 1);
    } else {
      require(!given_.logs);
      apply_raid(type, copies);
    }
  }

  void apply_raid(std::string_view type, std::uint32_t copies) {
    layout_.raid_metadata = type != "raid0";
    if (type == "raid1") {
      layout_.stripes = 1;
      layout_.copies = copies;
      require(copies > 1 && given_.stripes.value_or(1) == 1);
      return;
    }
    const bool is_raid10 = type == "raid10" || type == "raid10_near";
    const bool is_raid0 = type == "raid0" || type == "raid0_meta";
    const std::uint32_t least = is_raid6(type) ? 3 : 2;
    layout_.stripes = stripes_or(least);
    layout_.copies = is_raid10 ? 2 : 1;
    if (is_raid5(type)) layout_.parity = 1;
    if (is_raid6(type)) layout_.parity = 2;
    require(layout_.stripes >= least);
    require(is_raid10 ? copies == 2 : !given_.mirrors);
    if (is_raid0 || is_raid10 || layout_.parity > 0) return;
    layout_.computable = false;
    layout_.stripes = stripes_or(1);
  }

  std::uint32_t stripes_or(std::uint32_t otherwise) const {
    return std::max<std::uint32_t>(given_.stripes.value_or(otherwise), 1);
  }

  Given given_;
  Layout layout_;
};

}  // namespace

Layout layout_of(std::span<const std::string> arguments) { return Reader{}.read(arguments); }

Layout layout_of(const LogicalVolume& lv) {
  const std::string_view type = lv.segment_type;
  const std::uint32_t areas = std::max<std::uint32_t>(lv.stripes, 1);
  Layout layout;
  if (type == "raid1" || type == "mirror") {
    layout.copies = areas;
  } else if (type.starts_with("raid10")) {
    layout.copies = 2;
    layout.stripes = std::max<std::uint32_t>(areas / 2, 1);
  } else if (type == "linear" || type == "striped" || type.starts_with("raid")) {
    if (is_raid5(type)) layout.parity = 1;
    if (is_raid6(type)) layout.parity = 2;
    layout.stripes = areas > layout.parity ? areas - layout.parity : 1;
  }
  return layout;
}

std::vector<std::string> lvcreate_arguments(const DeviceClass& device_class,
                                            const OptionClass* option_class) {
  if (option_class != nullptr) return option_class->options;
  std::vector<std::string> arguments;
  if (!device_class.is_thin() && device_class.stripes > 0) {
    arguments = {"-i", fmt::format("{}", device_class.stripes)};
    if (!device_class.stripe_size.empty())
      arguments.insert(arguments.end(), {"-I", device_class.stripe_size});
  }
  arguments.insert(arguments.end(), device_class.lvcreate_options.begin(),
                   device_class.lvcreate_options.end());
  return arguments;
}

}  // namespace lvmd::model
