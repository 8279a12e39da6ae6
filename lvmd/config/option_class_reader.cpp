#include "lvmd/config/option_class_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/config/command_argument.hpp"
#include "lvmd/config/option_rules.hpp"

namespace lvmd::config {
namespace {

constexpr std::size_t kMaxOptionClassNameLength = 128;
// The name becomes part of a tag on volumes, so it has LVM's characters for tags.
constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+.-/=!:&#";

std::string read_option_class_name(Mapping& mapping) {
  const auto name = mapping.required_text("name");
  if (!name) return {};
  if (name->size() > kMaxOptionClassNameLength)
    mapping.error("name", fmt::format("has {} characters, at most {} are allowed", name->size(),
                                      kMaxOptionClassNameLength));
  else if (name->find_first_not_of(kNameCharacters) != std::string::npos)
    mapping.error("name", fmt::format("\"{}\" has a character other than letters, digits and "
                                      "_+.-/=!:&#",
                                      *name));
  return *name;
}

}  // namespace

std::vector<model::OptionClass> read_option_classes(Mapping& root) {
  std::vector<model::OptionClass> classes;
  auto items = root.mappings("lvcreate-option-classes");
  if (!items) return classes;
  for (Mapping& item : *items) {
    model::OptionClass option_class{.name = read_option_class_name(item), .options = {}};
    std::vector<ListItem> options = read_command_arguments(item, "options");
    check_options(item, options, OptionsOf::kOptionClass);
    for (ListItem& option : options) option_class.options.push_back(std::move(option.text));
    item.report_unknown_keys();
    const auto earlier = std::ranges::find(classes, option_class.name, &model::OptionClass::name);
    if (earlier == classes.end()) {
      classes.push_back(std::move(option_class));
    } else {
      if (!option_class.name.empty())
        item.warning("name",
                     fmt::format("\"{}\" is given twice; lvmd uses this one", option_class.name));
      *earlier = std::move(option_class);
    }
  }
  return classes;
}

}  // namespace lvmd::config
