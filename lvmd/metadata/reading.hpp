// One reading of a volume group's metadata while LVM may be writing it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/metadata/device_scan.hpp"

namespace lvmd::metadata {

struct Reading {
  Scan scan;
  // The group's texts that verified, each once.
  std::vector<std::string> texts;
  // For people: texts that couldn't be read or didn't verify.
  std::vector<std::string> problems;
  // Every header and text was as it should be.
  bool intact = true;
};

// Reads the texts that the scan's headers point to, and keeps those of group `vg_name`.
[[nodiscard]] Reading read_texts(Scan scan, const std::string& vg_name);

// Reads again while something is wrong, since LVM may have replaced a header or a text meanwhile.
// What is still wrong when no header has moved between two readings is damage: such a reading is
// accepted as it is. Absent when the headers kept moving.
[[nodiscard]] std::optional<Reading> settle(const std::function<Reading()>& read_once);

}  // namespace lvmd::metadata
