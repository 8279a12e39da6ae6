#include "lvmd/devmapper/block_event.hpp"

#include <charconv>

namespace lvmd::devmapper {
namespace {

// 0 if the text is not a number.
std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::optional<BlockEvent> parse_uevent(std::string_view message) {
  BlockEvent event;
  bool is_block = false;
  // The header repeats the values of the keys.
  const std::size_t head = message.find('\0');
  if (head == std::string_view::npos || !message.substr(0, head).contains('@')) return std::nullopt;
  for (std::string_view rest = message.substr(head + 1); !rest.empty();) {
    const std::string_view field = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(field.size() < rest.size() ? field.size() + 1 : rest.size());
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = field.substr(0, equals);
    const std::string_view value = field.substr(equals + 1);
    if (key == "SUBSYSTEM") is_block = value == "block";
    if (key == "ACTION") event.action = value;
    if (key == "DEVNAME") event.devname = value;
    if (key == "DM_NAME") event.dm_name = value;
    if (key == "DM_UUID") event.dm_uuid = value;
    if (key == "MAJOR") event.major = number_of(value);
    if (key == "MINOR") event.minor = number_of(value);
  }
  if (!is_block || event.action.empty() || event.devname.empty()) return std::nullopt;
  return event;
}

}  // namespace lvmd::devmapper
