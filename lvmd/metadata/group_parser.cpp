#include "lvmd/metadata/group_parser.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/connect.hpp"
#include "lvmd/metadata/fields.hpp"
#include "lvmd/metadata/lv_parser.hpp"

namespace lvmd::metadata {
namespace {

constexpr std::array<std::string_view, 7> kGroupStatus{"EXPORTED",  "RESIZEABLE", "READ",  "WRITE",
                                                       "CLUSTERED", "SHARED",     "PVMOVE"};
constexpr std::array<std::string_view, 2> kGroupFlags{"WRITE_LOCKED", "NOAUTOACTIVATE"};
constexpr std::array<std::string_view, 3> kPvStatus{"ALLOCATABLE", "EXPORTED", "MISSING"};
constexpr std::array<std::string_view, 1> kPvFlags{"MISSING"};

bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::ranges::find(flags, flag) != flags.end();
}

Result<ConfigSection> find_group(const ConfigTree& tree, const std::string& name) {
  const ConfigSection root = tree.root();
  FieldReader read;
  const auto contents = read.take(root.text("contents"));
  const auto version = read.take(root.number("version"));
  if (auto complete = read.finish(); !complete) return std::unexpected(complete.error());
  if (contents != "Text Format Volume Group" || version != 1)
    return fail(Code::kUnimplemented, "the metadata text is \"{}\", version {}", contents, version);
  for (const auto& [key, section] : root.sections())
    if (key == name) return section;
  return fail(Code::kUnimplemented, "the metadata text has no section {}", name);
}

// LVM's rules for access to a group: lvmsystemid(7), lvmlockd(8), vgexport(8).
Status check_access(const ConfigSection& group, const std::string& name,
                    std::string_view accepted_system_id) {
  const auto status = parse_flags(group, "status", kGroupStatus);
  if (!status) return std::unexpected(status.error());
  if (const auto flags = parse_flags(group, "flags", kGroupFlags); !flags)
    return std::unexpected(flags.error());
  if (has(*status, "EXPORTED"))
    return fail(Code::kUnavailable,
                "volume group {} is exported: `vgimport {}` makes it usable again", name, name);
  const auto lock_type = group.text_or_empty("lock_type");
  if (!lock_type) return std::unexpected(lock_type.error());
  if (has(*status, "CLUSTERED") || has(*status, "SHARED") ||
      (!lock_type->empty() && *lock_type != "none"))
    return fail(Code::kUnavailable,
                "volume group {} is shared between hosts (lock_type \"{}\"): lvmd manages groups "
                "of one host only",
                name, *lock_type);
  const auto system_id = group.text_or_empty("system_id");
  if (!system_id) return std::unexpected(system_id.error());
  if (!system_id->empty() && *system_id != accepted_system_id)
    return fail(
        Code::kUnavailable,
        "volume group {} belongs to a host with the LVM system ID \"{}\", which LVM does not "
        "accept on this host",
        name, *system_id);
  return {};
}

Result<model::PhysicalVolume> parse_pv(const ConfigSection& section) {
  FieldReader read;
  model::PhysicalVolume pv;
  pv.id = read.take(parse_id(section));
  const auto status = read.take(parse_flags(section, "status", kPvStatus));
  const auto flags = read.take(parse_flags(section, "flags", kPvFlags));
  pv.size = {read.take(section.number("pe_count", UINT32_MAX))};
  pv.allocatable = has(status, "ALLOCATABLE");
  pv.missing = has(status, "MISSING") || has(flags, "MISSING");
  return read.finish(std::move(pv));
}

Status read_pvs(const ConfigSection& list, VolumeGroupMetadata& group, PvTable& table) {
  for (const auto& [key, section] : list.sections()) {
    auto pv = parse_pv(section);
    if (!pv) return std::unexpected(pv.error());
    if (!table.add(std::string{key}, pv->size.value))
      return fail(Code::kUnimplemented, "{} exists twice", section.path());
    group.physical_volumes.push_back(*std::move(pv));
  }
  return {};
}

Result<std::vector<ParsedLv>> read_lvs(const ConfigSection& list, model::Bytes extent_size,
                                       PvTable& table) {
  std::vector<ParsedLv> lvs;
  const auto sections = list.sections();
  lvs.reserve(sections.size());
  for (const auto& [name, section] : sections) {
    auto parsed = parse_lv(name, section, table);
    if (!parsed) return std::unexpected(parsed.error());
    if (parsed->lv.size.value > std::numeric_limits<std::uint64_t>::max() / extent_size.value)
      return fail(Code::kUnimplemented, "{} is larger than 16 EiB", section.path());
    lvs.push_back(*std::move(parsed));
  }
  return lvs;
}

Status read_head(const ConfigSection& section, VolumeGroupMetadata& group) {
  FieldReader read;
  group.id = read.take(parse_id(section));
  group.seqno = read.take(section.number("seqno", UINT32_MAX));
  const auto sectors = read.take(section.number("extent_size", UINT32_MAX));
  if (auto complete = read.finish(); !complete) return complete;
  if (sectors == 0) return fail(Code::kUnimplemented, "{}/extent_size is 0", section.path());
  group.extent_size = {sectors * model::kSectorSize};
  return {};
}

}  // namespace

bool is_text_of(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return false;
  const std::string_view rest = text.substr(name.size());
  return rest.starts_with(" {") || rest.starts_with('{') || rest.starts_with('\n');
}

Result<TextSummary> summarize(const ConfigTree& tree, const std::string& name) {
  const auto section = find_group(tree, name);
  if (!section) return std::unexpected(section.error());
  FieldReader read;
  TextSummary summary;
  summary.id = read.take(parse_id(*section));
  summary.seqno = read.take(section->number("seqno", UINT32_MAX));
  return read.finish(std::move(summary));
}

Result<VolumeGroupMetadata> parse_group(const ConfigTree& tree, const std::string& name,
                                        std::string_view accepted_system_id) {
  const auto section = find_group(tree, name);
  if (!section) return std::unexpected(section.error());
  if (auto usable = check_access(*section, name, accepted_system_id); !usable)
    return std::unexpected(usable.error());

  VolumeGroupMetadata group;
  group.name = name;
  if (auto read = read_head(*section, group); !read) return std::unexpected(read.error());
  std::optional<ConfigSection> lvs;
  PvTable table;
  for (const auto& [key, list] : section->sections()) {
    if (key == "logical_volumes") {
      lvs = list;
    } else if (key == "physical_volumes") {
      if (auto read = read_pvs(list, group, table); !read) return std::unexpected(read.error());
    } else if (key != "historical_logical_volumes") {
      return fail(Code::kUnimplemented, "{} is an unknown section", list.path());
    }
  }
  // A group without volumes has no section logical_volumes.
  if (lvs) {
    auto parsed = read_lvs(*lvs, group.extent_size, table);
    if (!parsed) return std::unexpected(parsed.error());
    if (auto connected = connect(*std::move(parsed), group); !connected)
      return std::unexpected(connected.error());
  }
  if (auto counted = table.count_free(group.physical_volumes); !counted)
    return std::unexpected(counted.error());
  return group;
}

}  // namespace lvmd::metadata
