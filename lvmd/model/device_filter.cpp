#include "lvmd/model/device_filter.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace lvmd::model {
namespace {

// A regular expression for LVM's filter that matches only this path. Absent if the path contains a
// character that has a meaning in a filter or a quoted string and cannot be put into brackets.
std::optional<std::string> pattern_of(std::string_view path) {
  constexpr std::string_view kPlain = "/_-:,";
  constexpr std::string_view kBracketed = ".+@=~%";
  std::string pattern;
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.contains(c))
      pattern += c;
    else if (kBracketed.contains(c))
      pattern += fmt::format("[{}]", c);
    else
      return std::nullopt;
  }
  return pattern;
}

}  // namespace

std::optional<std::string> only_devices(std::span<const std::string> paths) {
  // Not with --devices: in a process that runs several commands, LVM 2.03.16 then uses freed
  // memory. Without hints, because LVM rewrites the hints file whenever the filter differs. Without
  // udev's list of all devices, which takes LVM several seconds if there are a thousand.
  std::string filter;
  for (const std::string& path : paths) {
    const auto pattern = pattern_of(path);
    if (!pattern) return std::nullopt;
    filter += fmt::format(R"("a|^{}$|",)", *pattern);
  }
  // In section syntax, because a blank would split the argument.
  return fmt::format(
      R"(devices{{use_devicesfile=0}}devices{{hints="none"}})"
      R"(devices{{obtain_device_list_from_udev=0}}devices{{global_filter=["a|.*|"]}})"
      R"(devices{{filter=[{}"r|.*|"]}})",
      filter);
}

}  // namespace lvmd::model
