#include "lvmd/model/mapped_name.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace lvmd::model {
namespace {

void append_doubled(std::string& name, std::string_view part) {
  for (const char c : part) {
    name += c;
    if (c == '-') name += c;
  }
}

}  // namespace

std::string mapped_name(std::string_view volume_group, std::string_view volume) {
  std::string name;
  append_doubled(name, volume_group);
  name += '-';
  append_doubled(name, volume);
  return name;
}

std::string mapped_uuid(std::string_view vg_id, std::string_view lv_id) {
  std::string uuid{"LVM-"};
  uuid += vg_id;
  uuid += lv_id;
  return uuid;
}

std::optional<VolumeName> parse_mapped_name(std::string_view name) {
  std::array<std::string, 2> parts;
  std::size_t part = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '-') {
      parts[part] += name[i];
    } else if (i + 1 < name.size() && name[i + 1] == '-') {
      parts[part] += '-';
      ++i;
    } else if (++part == parts.size()) {
      return std::nullopt;
    }
  }
  if (parts[0].empty() || parts[1].empty()) return std::nullopt;
  return VolumeName{.volume_group = std::move(parts[0]), .volume = std::move(parts[1])};
}

}  // namespace lvmd::model
