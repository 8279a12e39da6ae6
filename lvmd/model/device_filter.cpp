#include "lvmd/model/device_filter.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace lvmd::model {
namespace {

// A regular expression of LVM's that matches the path alone. Absent for a path with a character
// that means something in a filter or a quoted text and can't be put in brackets.
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
  // Not --devices: in a process that runs several commands LVM 2.03.16 keeps pointers into memory
  // that it has freed. Without hints: LVM writes them anew for each other filter.
  std::string filter;
  for (const std::string& path : paths) {
    const auto pattern = pattern_of(path);
    if (!pattern) return std::nullopt;
    filter += fmt::format(R"("a|^{}$|",)", *pattern);
  }
  // Sections, because blanks would split the word.
  return fmt::format(
      R"(devices{{use_devicesfile=0}}devices{{hints="none"}}devices{{global_filter=["a|.*|"]}}devices{{filter=[{}"r|.*|"]}})",
      filter);
}

}  // namespace lvmd::model
