#include "lvmd/metadata/metadata_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/metadata/partial.hpp"
#include "lvmd/metadata/reading.hpp"

namespace lvmd::metadata {
namespace {

std::string explain(const std::vector<std::string>& problems) {
  return problems.empty() ? std::string{} : fmt::format(" ({})", fmt::join(problems, "; "));
}

// Whether the device has a metadata area in use.
bool holds_metadata(const ScannedDevice& device) {
  return std::ranges::any_of(
      device.areas, [](const ScannedArea& area) { return !area.header || area.header->text; });
}

// Finds each physical volume's device. Unavailable when two devices claim to be one of them.
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
                  "volume group {}: {} and {} both claim to be physical volume {}; hide one of "
                  "them from LVM",
                  group.name, found->path, second->path, pv.id);
    // LVM doesn't use a device that the metadata calls missing, even when it is back; but where
    // nothing on it can be out of date, it does.
    if (pv.missing && (pv.free == pv.size || !holds_metadata(*found))) pv.missing = false;
    if (!pv.missing) pv.device = found->path;
  }
  return {};
}

}  // namespace

Result<MetadataPtr> MetadataReader::decide(const Scan& scan, std::span<const std::string> texts,
                                           std::string_view system_id) {
  std::optional<ConfigTree> newest;
  TextSummary newest_summary;
  for (const std::string& text : texts) {
    auto tree = ConfigTree::parse(text);
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
  }
  auto group = parse_group(*newest, vg_name_, system_id);
  if (!group) return std::unexpected(group.error());
  if (auto attached = attach_devices(*group, scan); !attached)
    return std::unexpected(attached.error());
  if (auto marked = mark_partial(*group); !marked) return std::unexpected(marked.error());
  return std::make_shared<const VolumeGroupMetadata>(*std::move(group));
}

Result<MetadataPtr> MetadataReader::read(std::span<const std::string> devices,
                                         std::string_view system_id) {
  const auto is_known = [&](const Scan& scan) {
    return last_answer_ && system_id == last_system_id_ && scan == last_scan_;
  };
  auto reading = settle([&] {
    Scan scan = scan_devices(devices);
    if (!is_known(scan)) return read_texts(std::move(scan), vg_name_);
    Reading known;
    known.scan = std::move(scan);
    return known;
  });
  if (!reading)
    return fail(Code::kUnavailable,
                "volume group {}: its metadata changes faster than it can be read", vg_name_);
  if (is_known(reading->scan)) return *last_answer_;
  if (reading->texts.empty()) {
    std::vector<std::string> problems = std::move(reading->scan.problems);
    problems.insert(problems.end(), reading->problems.begin(), reading->problems.end());
    return fail(Code::kUnavailable, "volume group {}: none of {} devices holds its metadata{}",
                vg_name_, devices.size(), explain(problems));
  }
  auto answer = decide(reading->scan, reading->texts, system_id);
  // A text that couldn't be read today may be read tomorrow, without a change of its header.
  last_answer_ = reading->problems.empty() ? std::optional{answer} : std::nullopt;
  last_scan_ = std::move(reading->scan);
  last_system_id_ = system_id;
  return answer;
}

}  // namespace lvmd::metadata
