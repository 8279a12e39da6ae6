// Reads the metadata of a volume group while LVM may write it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/metadata/device_scan.hpp"

namespace lvmd::metadata {

// Identifies a text by size and checksum, as LVM does. The areas of a group normally have the same
// text.
using TextKey = std::pair<std::uint64_t, std::uint32_t>;

[[nodiscard]] inline TextKey key_of(const TextLocation& text) { return {text.size, text.checksum}; }

enum class Copies : std::uint8_t {
  kTrust,   // read one copy of each text
  kVerify,  // read all copies
};

struct Reading {
  Scan scan;
  // The intact texts of the group, each once, and their keys in the same order.
  std::vector<std::string> texts;
  std::vector<TextKey> keys;
  // The name of another group whose text is on the devices. Empty: none.
  std::string other_group;
  // For people: the texts that are damaged or could not be read.
  std::vector<std::string> problems;
  // All headers and texts are undamaged.
  bool intact = true;
};

// Reads the texts to which the headers of the scan point, and keeps those of the group `vg_name`.
[[nodiscard]] Reading read_texts(Scan scan, const std::string& vg_name,
                                 Copies copies = Copies::kTrust);

// Calls `read_once` until the reading is intact, because LVM may replace a header or a text at the
// same time. If two consecutive readings have the same headers, a problem is damage, and the
// reading is returned as it is. Absent if the headers keep changing.
[[nodiscard]] std::optional<Reading> settle(const std::function<Reading()>& read_once);

}  // namespace lvmd::metadata
