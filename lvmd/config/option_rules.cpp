#include "lvmd/config/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lvmd/model/lvcreate_arguments.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::config {
namespace {

using model::ArgumentKind;
using model::LvcreateArgument;

struct Rule {
  std::string_view option;
  std::string_view reason;
};

constexpr std::string_view kGiven = "is set by lvmd, and LVM accepts it only once";
constexpr std::string_view kNoVolume = "creates no volume";
constexpr std::string_view kDevices =
    "changes which devices LVM uses, unknown to lvmd: set them in lvm.conf or with "
    "lvmdevices";
constexpr std::string_view kSettings = "changes settings that lvmd relies on: set them in lvm.conf";

constexpr std::array kRefused = {
    Rule{"commandprofile", kSettings},
    Rule{"config", kSettings},
    Rule{"devices", kDevices},
    Rule{"devicesfile", kDevices},
    Rule{"extents", kGiven},
    Rule{"help", kNoVolume},
    Rule{"longhelp", kNoVolume},
    Rule{"name", kGiven},
    Rule{"profile", kSettings},
    Rule{"size", kGiven},
    Rule{"snapshot", "creates a snapshot instead of a volume"},
    Rule{"test", kNoVolume},
    Rule{"thinpool", "is set by lvmd for classes of type thin"},
    Rule{"version", kNoVolume},
    Rule{"virtualsize", kGiven},
    Rule{"wipesignatures", kGiven},
    Rule{"yes", kGiven},
};

constexpr std::array kDoubtful = {
    Rule{"nolocking", "allows other programs to change the volume group at the same time"},
    Rule{"noudevsync", "allows a call to return before the volume's device node exists"},
    Rule{"reportformat", "has no effect: lvmd does not show lvcreate's output"},
};

const Rule* find_rule(std::span<const Rule> rules, std::string_view option) {
  const auto found = std::ranges::find(rules, option, &Rule::option);
  return found == rules.end() ? nullptr : std::to_address(found);
}

// True for the values of --activate that leave a volume inactive: "n", "en", "ln".
bool is_inactive(std::string_view activation) { return activation.ends_with('n'); }

bool is_any_of(std::string_view value, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, value) != values.end();
}

// The reason why lvmd does not accept this value of the option; absent if it does.
std::optional<std::string_view> refused_value(const LvcreateArgument& argument, OptionsOf target) {
  if (is_any_of(argument.option, {"activate", "available"}) && is_inactive(argument.value))
    return "leaves the volume inactive";
  if (argument.option == "driverloaded" && argument.value == "n")
    return "leaves the volume inactive";
  if (argument.option == "addtag" && model::is_private_tag(argument.value))
    return "adds a tag that begins with lvmd.v1:, which lvmd reserves";
  const bool makes_thin =
      argument.option == "thin" || (argument.option == "type" && argument.value == "thin");
  if (makes_thin && target == OptionsOf::kThickClass) return "needs a class of type thin";
  if (argument.option == "type" &&
      is_any_of(argument.value, {"snapshot", "thin-pool", "cache-pool", "vdo-pool"}))
    return "creates a volume that callers cannot use";
  return std::nullopt;
}

void check_option(const Mapping& mapping, const ListItem& item, const LvcreateArgument& argument,
                  OptionsOf target) {
  if (const Rule* const refused = find_rule(kRefused, argument.option))
    mapping.error(item, fmt::format("{} (--{}) {}", item.text, argument.option, refused->reason));
  else if (const auto reason = refused_value(argument, target))
    mapping.error(item, fmt::format("--{}={} {}", argument.option, argument.value, *reason));
  else if (const Rule* const doubtful = find_rule(kDoubtful, argument.option))
    mapping.warning(item,
                    fmt::format("{} (--{}) {}", item.text, argument.option, doubtful->reason));
}

void check_operand(const Mapping& mapping, const ListItem& item, OptionsOf target) {
  if (target == OptionsOf::kThinClass)
    mapping.error(item,
                  fmt::format("{} is not an option, and thin volumes accept no PVs", item.text));
  else if (!item.text.starts_with('/') && !item.text.starts_with('@'))
    mapping.error(item,
                  fmt::format("{} is neither an option nor the path or @tag of a PV", item.text));
}

std::vector<std::string> texts(const std::vector<ListItem>& items) {
  std::vector<std::string> result;
  result.reserve(items.size());
  for (const ListItem& item : items) result.push_back(item.text);
  return result;
}

}  // namespace

void check_options(const Mapping& mapping, const std::vector<ListItem>& items, OptionsOf target) {
  const std::vector<std::string> arguments = texts(items);
  for (const LvcreateArgument& parsed : model::parse_lvcreate_arguments(arguments)) {
    const ListItem& item = items[parsed.index];
    if (parsed.kind == ArgumentKind::kOption)
      check_option(mapping, item, parsed, target);
    else if (parsed.kind == ArgumentKind::kOperand)
      check_operand(mapping, item, target);
    else if (item.text == "--")
      mapping.error(item, "-- ends the options, but lvmd appends more of them");
    else
      mapping.warning(item,
                      fmt::format("{} is unknown to lvmd, or lacks its value: lvmd offers all "
                                  "free space, whatever this option does",
                                  item.text));
  }
}

const ListItem* find_option(const std::vector<ListItem>& items, std::string_view name) {
  const std::vector<std::string> arguments = texts(items);
  for (const LvcreateArgument& parsed : model::parse_lvcreate_arguments(arguments))
    if (parsed.kind == ArgumentKind::kOption && parsed.option == name) return &items[parsed.index];
  return nullptr;
}

}  // namespace lvmd::config
