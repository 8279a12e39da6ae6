#include "lvmd/devmapper/block_event.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace lvmd::devmapper {
namespace {

// 0 if the text is not a number.
template <typename Number>
Number number_of(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

constexpr std::string_view kDev{"/dev/"};
constexpr std::string_view kUdevPrefix{"libudev\0", 8};

// The start of udev's header, in the byte order of the host, except for the magic number.
struct UdevHeader {
  std::array<char, kUdevPrefix.size()> prefix;
  std::array<unsigned char, 4> magic;
  std::uint32_t header_size;
  std::uint32_t properties_offset;
  std::uint32_t properties_size;
};
constexpr std::array<unsigned char, 4> kUdevMagic{0xfe, 0xed, 0xca, 0xfe};

// The strings of the message; empty if it has another format.
std::string_view properties_of(std::string_view message) {
  if (!message.starts_with(kUdevPrefix)) {
    const std::size_t head = message.find('\0');
    // The head repeats values of the strings.
    const bool is_kernels = head != std::string_view::npos && message.substr(0, head).contains('@');
    return is_kernels ? message.substr(head + 1) : std::string_view{};
  }
  UdevHeader header{};
  if (message.size() < sizeof header) return {};
  std::memcpy(&header, message.data(), sizeof header);
  if (header.magic != kUdevMagic || header.properties_offset > message.size()) return {};
  return message.substr(header.properties_offset, header.properties_size);
}

void set(BlockEvent& event, std::string_view key, std::string_view value) {
  if (key == "ACTION") event.action = value;
  // udev's has the folder.
  if (key == "DEVNAME") event.devname = value.substr(value.starts_with(kDev) ? kDev.size() : 0);
  if (key == "DM_NAME") event.dm_name = value;
  if (key == "DM_UUID") event.dm_uuid = value;
  if (key == "MAJOR") event.major = number_of<std::uint32_t>(value);
  if (key == "MINOR") event.minor = number_of<std::uint32_t>(value);
  if (key == "SEQNUM") event.seqnum = number_of<std::uint64_t>(value);
}

}  // namespace

std::optional<BlockEvent> parse_uevent(std::string_view message) {
  BlockEvent event;
  bool is_block = false;
  event.handled = message.starts_with(kUdevPrefix);
  for (std::string_view rest = properties_of(message); !rest.empty();) {
    const std::string_view field = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(field.size() < rest.size() ? field.size() + 1 : rest.size());
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = field.substr(0, equals);
    const std::string_view value = field.substr(equals + 1);
    if (key == "SUBSYSTEM") is_block = value == "block";
    set(event, key, value);
  }
  if (!is_block || event.action.empty() || event.devname.empty()) return std::nullopt;
  return event;
}

}  // namespace lvmd::devmapper
