#include "lvmd/config/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
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

constexpr std::string_view kGiven = "is given by lvmd itself, and LVM takes it once";
constexpr std::string_view kNoVolume = "makes no volume";
constexpr std::string_view kDevices =
    "would change which devices LVM uses, behind lvmd's back: set them in lvm.conf or with "
    "lvmdevices";
constexpr std::string_view kSettings =
    "would change settings that lvmd relies on: set them in lvm.conf";

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
    Rule{"snapshot", "makes a snapshot, and a class makes volumes"},
    Rule{"test", kNoVolume},
    Rule{"thinpool", "is given by lvmd itself, for classes of type thin"},
    Rule{"version", kNoVolume},
    Rule{"virtualsize", kGiven},
    Rule{"wipesignatures", kGiven},
    Rule{"yes", kGiven},
};

constexpr std::array kDoubtful = {
    Rule{"nolocking", "lets other programs change the volume group while lvmd does"},
    Rule{"noudevsync", "lets a call end before the volume's node is there"},
    Rule{"reportformat", "has no effect: lvmd doesn't show what lvcreate prints"},
};

template <std::size_t N>
const Rule* find_rule(const std::array<Rule, N>& rules, std::string_view option) {
  const auto found = std::ranges::find(rules, option, &Rule::option);
  return found == rules.end() ? nullptr : &*found;
}

// "n", "en", "ln": LVM's values of --activate that leave a volume inactive.
bool is_inactive(std::string_view activation) { return activation.ends_with('n'); }

bool is_any_of(std::string_view value, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, value) != values.end();
}

// Why lvmd can't work with this value of the option.
std::optional<std::string_view> refused_value(const LvcreateArgument& argument, OptionsOf target) {
  if (is_any_of(argument.option, {"activate", "available"}) && is_inactive(argument.value))
    return "leaves the volume inactive";
  if (argument.option == "driverloaded" && argument.value == "n")
    return "leaves the volume inactive";
  if (argument.option == "addtag" && model::is_private_tag(argument.value))
    return "adds a tag that begins with lvmd.v1:, those are lvmd's own";
  const bool makes_thin =
      argument.option == "thin" || (argument.option == "type" && argument.value == "thin");
  if (makes_thin && target == OptionsOf::kThickClass) return "needs a class of type thin";
  if (argument.option == "type" &&
      is_any_of(argument.value, {"snapshot", "thin-pool", "cache-pool", "vdo-pool"}))
    return "makes no volume that a caller could use";
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
                  fmt::format("{} is not an option, and a thin volume takes no PVs", item.text));
  else if (!item.text.starts_with('/') && !item.text.starts_with('@'))
    mapping.error(item,
                  fmt::format("{} is neither an option nor the path or @tag of a PV", item.text));
}

std::vector<std::string> texts(const std::vector<ListItem>& items) {
  std::vector<std::string> result;
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
      mapping.error(item, "-- ends the options, and lvmd's own follow");
    else
      mapping.warning(item, fmt::format("{} is not an option that lvmd knows, or lacks its value: "
                                        "all free space is offered, whatever it does",
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
