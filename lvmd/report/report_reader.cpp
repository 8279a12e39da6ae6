#include "lvmd/report/report_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/base/run_program.hpp"
#include "lvmd/report/report_row.hpp"

namespace lvmd::report {
namespace {

using nlohmann::json;

// The parts of the report and their fields. lv_name is empty for a free area of a PV.
constexpr std::array<std::pair<const char*, const char*>, 5> kFields{{
    {"vg", "vg_uuid,vg_name,vg_seqno,vg_extent_size,vg_exported"},
    {"pv", "pv_uuid,pv_name,pv_pe_count,pv_pe_alloc_count,pv_allocatable,pv_missing"},
    {"lv",
     "lv_uuid,lv_name,lv_size,lv_attr,lv_role,lv_layout,lv_tags,pool_lv,origin,origin_size,"
     "lv_parent,lv_kernel_major,lv_kernel_minor,data_percent,metadata_percent"},
    {"seg", "lv_uuid,seg_start_pe,segtype,stripes"},
    {"pvseg", "pv_uuid,pvseg_start,pvseg_size,lv_name"},
}};

struct FirstSegment {
  std::string type;
  std::uint32_t stripes = 1;
};

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

// The rows of one part of the report; empty if the part is missing.
std::vector<ReportRow> rows(const json& report, const char* part) {
  std::vector<ReportRow> result;
  const auto found = report.find(part);
  if (found == report.end() || !found->is_array()) return result;
  for (const json& row : *found)
    if (row.is_object()) result.emplace_back(row);
  return result;
}

Result<model::VolumeGroup> parse_head(const ReportRow& row) {
  FieldReader read;
  model::VolumeGroup group;
  group.id = read.take(row.id("vg_uuid"));
  group.name = read.take(row.text("vg_name"));
  group.seqno = read.take(row.number("vg_seqno"));
  group.extent_size = {read.take(row.number("vg_extent_size"))};
  group.source = model::StateSource::kReport;
  if (!read.take(row.text("vg_exported")).empty())
    return fail(Code::kUnavailable,
                "volume group {} is exported: `vgimport {}` makes it usable again", group.name,
                group.name);
  return read.finish(std::move(group));
}

Result<model::PhysicalVolume> parse_pv(const ReportRow& row) {
  FieldReader read;
  model::PhysicalVolume pv;
  pv.id = read.take(row.id("pv_uuid"));
  pv.size = {read.take(row.number("pv_pe_count"))};
  const std::uint64_t used = read.take(row.number("pv_pe_alloc_count"));
  pv.free = {pv.size.value > used ? pv.size.value - used : 0};
  pv.allocatable = !read.take(row.text("pv_allocatable")).empty();
  pv.missing = !read.take(row.text("pv_missing")).empty();
  auto device = read.take(row.text("pv_name"));
  if (!pv.missing) pv.device = std::move(device);
  return read.finish(std::move(pv));
}

// `hidden`: the name is in brackets. The role "private" is not sufficient: a thin pool in use is
// private, but visible.
model::LvRole role_of(bool hidden, const std::vector<std::string>& roles,
                      const std::vector<std::string>& layout) {
  const bool is_cache_pool = has(layout, "cache") && has(layout, "pool");
  if (hidden || is_cache_pool) return model::LvRole::kInternal;
  if (has(layout, "thin"))
    return has(layout, "pool") ? model::LvRole::kThinPool : model::LvRole::kThin;
  return has(roles, "thicksnapshot") ? model::LvRole::kCowSnapshot : model::LvRole::kPlain;
}

// The fifth and sixth characters of lv_attr are the state in device-mapper, see lvs(8).
model::DeviceState device_state(std::uint32_t major, std::uint32_t minor, std::string_view attr) {
  const char state = attr[4];
  return {.major = major,
          .minor = minor,
          .open_count = attr[5] == 'o' ? 1 : 0,
          .suspended = state == 's' || state == 'S' || state == 'M' || state == 'C',
          .read_only = attr[1] == 'r' || attr[1] == 'R',
          .live_table = state != 'd' && state != 'i',
          .inactive_table = state == 'i'};
}

Result<model::LogicalVolume> parse_lv(const ReportRow& row, std::string_view vg_name,
                                      const std::map<std::string, FirstSegment>& segments) {
  FieldReader read;
  model::LogicalVolume lv;
  lv.name = read.take(row.name("lv_name"));
  lv.id = read.take(row.id("lv_uuid"));
  const bool hidden = read.take(row.text("lv_name")) != lv.name;
  const auto layout = read.take(row.list("lv_layout"));
  lv.role = role_of(hidden, read.take(row.list("lv_role")), layout);
  lv.size = {read.take(row.number("lv_size"))};
  if (lv.role == model::LvRole::kCowSnapshot) lv.size = {read.take(row.number("origin_size"))};
  lv.tags = read.take(row.list("lv_tags"));
  lv.origin = read.take(row.name("origin"));
  // LVM reports the parent for parts of RAID volumes, mirrors and pools, but not of caches.
  lv.part_of = read.take(row.name("lv_parent"));
  // For a cached volume, pool_lv is the cache.
  if (has(layout, "thin")) lv.pool = read.take(row.name("pool_lv"));
  lv.path = fmt::format("/dev/{}/{}", vg_name, lv.name);
  lv.attr = read.take(row.text("lv_attr"));
  if (const auto first = segments.find(lv.id); first != segments.end()) {
    lv.segment_type = first->second.type;
    lv.stripes = first->second.stripes;
  }
  const auto major = read.take(row.device_number("lv_kernel_major"));
  const auto minor = read.take(row.device_number("lv_kernel_minor"));
  const auto data = read.take(row.percent("data_percent"));
  const auto metadata = read.take(row.percent("metadata_percent"));
  if (lv.attr.size() < 10)
    return fail(Code::kInternal, "LVM's report has an invalid lv_attr \"{}\" for {}", lv.attr,
                lv.name);
  lv.writable = lv.attr[1] != 'r';
  lv.partial = lv.attr[8] == 'p';
  if (major && minor) lv.device = device_state(*major, *minor, lv.attr);
  if (lv.role == model::LvRole::kThinPool && data && metadata)
    lv.usage = model::PoolUsage{.data_percent = *data, .metadata_percent = *metadata};
  return read.finish(std::move(lv));
}

Result<std::map<std::string, FirstSegment>> first_segments(const json& report) {
  FieldReader read;
  std::map<std::string, FirstSegment> result;
  for (const ReportRow& row : rows(report, "seg")) {
    auto id = read.take(row.id("lv_uuid"));
    auto type = read.take(row.text("segtype"));
    const auto stripes = read.take(row.number("stripes"));
    if (read.take(row.number("seg_start_pe")) == 0)
      result[std::move(id)] = {.type = std::move(type),
                               .stripes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
                                   stripes, 1, std::numeric_limits<std::uint32_t>::max()))};
  }
  return read.finish(std::move(result));
}

// The free areas of each PV; the key is the PV id.
Result<std::map<std::string, std::vector<model::Extents>>> free_areas(const json& report) {
  FieldReader read;
  std::map<std::string, std::map<std::uint64_t, model::Extents>> by_start;
  for (const ReportRow& row : rows(report, "pvseg")) {
    auto id = read.take(row.id("pv_uuid"));
    const auto start = read.take(row.number("pvseg_start"));
    const auto size = read.take(row.number("pvseg_size"));
    if (read.take(row.text("lv_name")).empty()) by_start[std::move(id)][start] = {size};
  }
  std::map<std::string, std::vector<model::Extents>> result;
  for (const auto& [id, areas] : by_start)
    for (const auto& [start, size] : areas) result[id].push_back(size);
  return read.finish(std::move(result));
}

Result<model::VolumeGroup> parse_group(const json& report, const ReportRow& head) {
  auto group = parse_head(head);
  if (!group) return group;
  const auto segments = first_segments(report);
  if (!segments) return std::unexpected(segments.error());
  auto free = free_areas(report);
  if (!free) return std::unexpected(free.error());
  for (const ReportRow& row : rows(report, "pv")) {
    auto pv = parse_pv(row);
    if (!pv) return std::unexpected(pv.error());
    pv->free_areas = std::move((*free)[pv->id]);
    group->physical_volumes.push_back(*std::move(pv));
  }
  for (const ReportRow& row : rows(report, "lv")) {
    auto lv = parse_lv(row, group->name, *segments);
    if (!lv) return std::unexpected(lv.error());
    group->logical_volumes.push_back(*std::move(lv));
  }
  std::ranges::sort(group->logical_volumes, {}, &model::LogicalVolume::name);
  return group;
}

}  // namespace

std::vector<std::string> report_arguments(std::string_view vg_name) {
  // With backup=0, because otherwise LVM writes the copies of the metadata if the backup is out of
  // date. It then prints a line into the report if there are many archives.
  std::vector<std::string> arguments{
      "fullreport", "--reportformat", "json",     "--units",         "b",
      "--nosuffix", "--all",          "--config", "backup{backup=0}"};
  for (const auto& [part, fields] : kFields)
    arguments.insert(arguments.end(), {"--configreport", part, "-o", fields});
  arguments.emplace_back(vg_name);
  return arguments;
}

Result<std::string> run_report(const std::string& lvm_path, const std::string& vg_name,
                               std::chrono::milliseconds time_limit) {
  auto printed = run_program(lvm_path, report_arguments(vg_name), time_limit);
  if (!printed) return std::unexpected(printed.error());
  return std::move(printed->out);
}

Result<model::VolumeGroup> parse_report(std::string_view text, std::string_view vg_name) {
  const json document = json::parse(text, nullptr, false);
  const auto reports = document.find("report");
  if (!document.is_object() || reports == document.end() || !reports->is_array())
    return fail(Code::kInternal, "LVM's report is not in the expected JSON format");
  for (const json& report : *reports)
    for (const ReportRow& head : rows(report, "vg")) {
      const auto name = head.text("vg_name");
      if (!name) return std::unexpected(name.error());
      if (*name == vg_name) return parse_group(report, head);
    }
  return fail(Code::kUnavailable, "volume group {} is not in LVM's report", vg_name);
}

}  // namespace lvmd::report
