// Arguments of an lvcreate command line, taken apart as lvcreate itself does.
//
// Source of the rules: lvm2's tools/lvmcmdline.c. It drops hyphens inside long names, then
// getopt_long(3) reads the line: a long name may be cut short as long as it stays unambiguous,
// short options may share an argument ("-yWn"), a value may be part of the argument or the next
// argument.
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
  // An argument that is no option and no option's value: the name of a PV, or a tag of some.
  kOperand,
  // Not an option that lvcreate of LVM 2.03 has, ambiguous, or without the value it needs.
  kUnknown,
};

struct LvcreateArgument {
  ArgumentKind kind = ArgumentKind::kUnknown;
  // The option's whole name without hyphens ("stripesize"), however it was written.
  std::string_view option{};
  // The option's value, or the operand; empty for an option that takes none. As long-lived as the
  // arguments that were parsed.
  std::string_view value{};
  // Which of the arguments it begins in.
  std::size_t index = 0;
};

// In the order of `arguments`, each of which ends up in exactly one item, as its name or as its
// value. Behind "--" every argument is an operand; the "--" itself is kUnknown.
[[nodiscard]] std::vector<LvcreateArgument> parse_lvcreate_arguments(
    std::span<const std::string> arguments);

}  // namespace lvmd::model
