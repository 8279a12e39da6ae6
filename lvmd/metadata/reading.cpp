#include "lvmd/metadata/reading.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/metadata/metadata_area.hpp"

namespace lvmd::metadata {
namespace {

// A commit of LVM takes tens of milliseconds, and a reading a few. So more retries than this are
// not caused by commits.
constexpr int kMaxAttempts = 8;

Result<std::string> read_area_text(const ScannedDevice& device, const ScannedArea& area) {
  const auto file = DeviceFile::open(device.path);
  if (!file) return std::unexpected(file.error());
  return read_text(*file, area.range, *area.header);
}

}  // namespace

Reading read_texts(Scan scan, const std::string& vg_name, Copies copies) {
  Reading reading;
  std::set<TextKey> seen;
  for (const ScannedDevice& device : scan.devices)
    for (const ScannedArea& area : device.areas) {
      if (!area.header || !area.header->text) continue;
      const TextKey key = key_of(*area.header->text);
      if (seen.contains(key) && copies == Copies::kTrust) continue;
      auto text = read_area_text(device, area);
      if (!text) {
        reading.problems.push_back(fmt::format("{}: {}", device.path, text.error().message));
        continue;
      }
      if (!seen.insert(key).second) continue;
      if (is_text_of(*text, vg_name)) {
        reading.texts.push_back(*std::move(text));
        reading.keys.push_back(key);
      } else {
        reading.other_group = text->substr(0, text->find_first_of(" {\n"));
      }
    }
  reading.intact = reading.problems.empty() && !scan.has_damage();
  reading.scan = std::move(scan);
  return reading;
}

std::optional<Reading> settle(const std::function<Reading()>& read_once) {
  std::optional<Scan> previous;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Reading reading = read_once();
    if (reading.intact || previous == reading.scan) return reading;
    previous = std::move(reading.scan);
  }
  return std::nullopt;
}

}  // namespace lvmd::metadata
