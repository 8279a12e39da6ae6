// One reading of a volume group's metadata while LVM may be writing it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/metadata/device_scan.hpp"

namespace lvmd::metadata {

// Areas of one group hold the same text unless they are out of step. Size and checksum, which LVM
// trusts for the same purpose, tell.
using TextKey = std::pair<std::uint64_t, std::uint32_t>;

[[nodiscard]] inline TextKey key_of(const TextLocation& text) { return {text.size, text.checksum}; }

enum class Copies : std::uint8_t {
  kTrust,   // one copy of each text is read
  kVerify,  // every copy is
};

struct Reading {
  Scan scan;
  // The group's texts that verified, each once, and their keys in the same order.
  std::vector<std::string> texts;
  std::vector<TextKey> keys;
  // The name of another group whose text is on the devices; empty: none.
  std::string other_group;
  // For people: texts that couldn't be read or didn't verify.
  std::vector<std::string> problems;
  // Every header and text was as it should be.
  bool intact = true;
};

// Reads the texts that the scan's headers point to, and keeps those of group `vg_name`.
[[nodiscard]] Reading read_texts(Scan scan, const std::string& vg_name,
                                 Copies copies = Copies::kTrust);

// Reads again while something is wrong, since LVM may have replaced a header or a text meanwhile.
// What is still wrong when no header has moved between two readings is damage: such a reading is
// accepted as it is. Absent when the headers kept moving.
[[nodiscard]] std::optional<Reading> settle(const std::function<Reading()>& read_once);

}  // namespace lvmd::metadata
