// Parses lvcreate's command line as lvcreate does. Pure.
//
// Source of the rules: lvm2's tools/lvmcmdline.c. It removes the hyphens inside long names and then
// calls getopt_long(3): a long name can be abbreviated if it stays unambiguous, one argument can
// contain several short options ("-yWn"), and a value can be part of the argument or follow as the
// next argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::model {

enum class ArgumentKind : std::uint8_t {
  kOption,
  // Neither an option nor an option's value: the name of a PV, or a tag of PVs.
  kOperand,
  // Not an option of lvcreate in LVM 2.03, or ambiguous, or without its value.
  kUnknown,
};

struct LvcreateArgument {
  ArgumentKind kind = ArgumentKind::kUnknown;
  // The option's full name without hyphens ("stripesize").
  std::string_view option{};
  // The option's value, or the operand. Empty for an option without a value. Valid as long as the
  // parsed arguments.
  std::string_view value{};
  // The index of the argument in which the item begins.
  std::size_t index = 0;
  // False for an option that changes neither the number nor the place of extents.
  bool affects_space = true;
};

// The items in the order of `arguments`. Each argument is part of at least one item, as a name or
// as a value. After "--", which is kUnknown, every argument is an operand.
[[nodiscard]] std::vector<LvcreateArgument> parse_lvcreate_arguments(
    std::span<const std::string> arguments);

}  // namespace lvmd::model
