#include "lvmd/metadata/metadata_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/metadata/partial.hpp"

namespace lvmd::metadata {
namespace {

std::string explain(const std::vector<std::string>& problems) {
  return problems.empty() ? std::string{} : fmt::format(" ({})", fmt::join(problems, "; "));
}

// True if the device has a metadata area that is in use or damaged.
bool holds_metadata(const ScannedDevice& device) {
  return std::ranges::any_of(
      device.areas, [](const ScannedArea& area) { return !area.header || area.header->text; });
}

// An area must hold the old and the new text, each aligned to a sector.
std::uint64_t longest_text(const MdaHeader& header) {
  const std::uint64_t half = (header.area_size - kMdaHeaderSize) / 2;
  return half > kSector ? half - kSector : 0;
}

// Finds the device of each PV. Unavailable if two devices have the same PV id.
Status attach_devices(VolumeGroupMetadata& group, const Scan& scan) {
  for (model::PhysicalVolume& pv : group.physical_volumes) {
    const auto is_it = [&pv](const ScannedDevice& device) { return device.pv_id == pv.id; };
    const auto found = std::ranges::find_if(scan.devices, is_it);
    if (found == scan.devices.end()) {
      if (!pv.missing) group.unknown_physical_volumes.push_back(pv.id);
      pv.missing = true;
      continue;
    }
    const auto second = std::find_if(std::next(found), scan.devices.end(), is_it);
    if (second != scan.devices.end())
      return fail(Code::kUnavailable,
                  "volume group {}: the devices {} and {} have the same PV id {}: hide one of them "
                  "from LVM",
                  group.name, found->path, second->path, pv.id);
    // A PV that the metadata marks as missing stays missing when its device returns, unless the
    // device cannot have outdated data. LVM has the same rule.
    if (pv.missing && (pv.free == pv.size || !holds_metadata(*found))) pv.missing = false;
    if (!pv.missing) pv.device = found->path;
  }
  return {};
}

}  // namespace

Result<MetadataPtr> MetadataReader::decide(Reading& reading, std::string_view system_id) {
  text_.reset();
  std::optional<ConfigTree> newest;
  TextSummary newest_summary;
  std::size_t newest_index = 0;
  for (std::size_t i = 0; i < reading.texts.size(); ++i) {
    auto tree = ConfigTree::parse(reading.texts[i]);
    ++parse_count_;
    if (!tree) return std::unexpected(tree.error());
    auto summary = summarize(*tree, vg_name_);
    if (!summary) return std::unexpected(summary.error());
    if (newest && summary->id != newest_summary.id)
      return fail(Code::kUnavailable,
                  "two volume groups are named {} (ids {} and {}): rename one with vgrename",
                  vg_name_, newest_summary.id, summary->id);
    if (newest && summary->seqno <= newest_summary.seqno) continue;
    newest = *std::move(tree);
    newest_summary = *std::move(summary);
    newest_ = reading.keys[i];
    newest_index = i;
  }
  auto group = parse_group(*newest, vg_name_, system_id);
  if (!group) return std::unexpected(group.error());
  if (auto attached = attach_devices(*group, reading.scan); !attached)
    return std::unexpected(attached.error());
  if (auto marked = mark_partial(*group); !marked) return std::unexpected(marked.error());
  if (keeps_text_)
    text_ = std::make_shared<const std::string>(std::move(reading.texts[newest_index]));
  return std::make_shared<const VolumeGroupMetadata>(*std::move(group));
}

Result<MetadataPtr> MetadataReader::read(std::span<const std::string> devices,
                                         std::string_view system_id) {
  const auto is_known = [&](const Scan& scan) {
    return last_answer_ && system_id == last_system_id_ && scan == last_scan_;
  };
  auto reading = settle([&] {
    Scan scan = scan_devices(devices);
    if (in_doubt_ || !is_known(scan)) return read_texts(std::move(scan), vg_name_, verifies_);
    Reading known;
    known.scan = std::move(scan);
    return known;
  });
  if (!reading)
    return fail(Code::kUnavailable,
                "volume group {}: the metadata changes faster than lvmd can read it", vg_name_);
  const bool has_looked = std::exchange(in_doubt_, false);
  const bool found_damage = !reading->problems.empty();
  if (is_known(reading->scan) && !found_damage) {
    if (has_looked) damaged_texts_.clear();
    return *last_answer_;
  }
  other_group_ = std::move(reading->other_group);
  if (reading->texts.empty()) {
    last_answer_.reset();
    text_.reset();
    std::vector<std::string> problems = std::move(reading->scan.problems);
    problems.insert(problems.end(), reading->problems.begin(), reading->problems.end());
    if (!other_group_.empty())
      problems.push_back(fmt::format("they have the metadata of volume group {}", other_group_));
    return fail(Code::kUnavailable, "volume group {}: none of {} devices has its metadata{}",
                vg_name_, devices.size(), explain(problems));
  }
  auto answer = decide(*reading, system_id);
  // A damaged text can become readable without a change of its header, so the answer is not kept.
  last_answer_ = found_damage ? std::nullopt : std::optional{answer};
  last_scan_ = std::move(reading->scan);
  last_system_id_ = system_id;
  keys_ = std::move(reading->keys);
  damaged_texts_ = std::move(reading->problems);
  return answer;
}

model::MetadataCopies MetadataReader::copies() const {
  model::MetadataCopies copies;
  std::vector<std::string> damaged = damaged_texts_;
  std::uint64_t longest = std::numeric_limits<std::uint64_t>::max();
  for (const ScannedDevice& device : last_scan_.devices)
    for (const ScannedArea& area : device.areas) {
      if (!area.header) {
        damaged.push_back(area.damage);
      } else if (area.header->text) {
        longest = std::min(longest, longest_text(*area.header));
        const TextKey key = key_of(*area.header->text);
        if (key != newest_ && std::ranges::find(keys_, key) != keys_.end())
          damaged.push_back(
              fmt::format("{}: metadata area at {}: its text is older than the group's",
                          device.path, area.range.offset));
      }
    }
  if (longest != std::numeric_limits<std::uint64_t>::max())
    copies = {.longest_text = {longest},
              .free = {longest > newest_.first ? longest - newest_.first : 0}};
  if (verifies_ == Copies::kVerify) copies.damaged = std::move(damaged);
  return copies;
}

}  // namespace lvmd::metadata
