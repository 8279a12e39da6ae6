#include "lvmd/model/object_name.hpp"

#include <algorithm>

namespace lvmd::model {
namespace {

bool is_label(std::string_view text) {
  return !text.empty() && !text.starts_with('-') && !text.ends_with('-') &&
         std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
         });
}

}  // namespace

bool is_object_name(std::string_view text) {
  if (text.size() > kMaxObjectNameLength) return false;
  for (;;) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == text.size()) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace lvmd::model
