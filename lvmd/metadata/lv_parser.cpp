#include "lvmd/metadata/lv_parser.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/fields.hpp"

namespace lvmd::metadata {
namespace {

constexpr std::array<std::string_view, 9> kStatus{"READ",        "WRITE",   "VISIBLE",
                                                  "FIXED_MINOR", "PVMOVE",  "LOCKED",
                                                  "NOTSYNCED",   "REBUILD", "WRITEMOSTLY"};
constexpr std::array<std::string_view, 5> kFlags{"ACTIVATION_SKIP", "NOAUTOACTIVATE",
                                                 "ERROR_WHEN_FULL", "WRITE_LOCKED", "CACHE_VOL"};

// The letters of lvs(8). As in LVM, an unknown policy counts as inherited.
char allocation_letter(std::string_view policy) {
  if (policy == "contiguous") return 'c';
  if (policy == "cling") return 'l';
  if (policy == "cling_by_tags") return 't';
  if (policy == "normal") return 'n';
  if (policy == "anywhere") return 'a';
  return 'i';
}

Status read_flags(const ConfigSection& section, LvMetadata& lv) {
  FieldReader read;
  const auto status = read.take(parse_flags(section, "status", kStatus));
  const auto flags = read.take(parse_flags(section, "flags", kFlags));
  const auto has = [](const std::vector<std::string>& list, std::string_view flag) {
    return std::ranges::find(list, flag) != list.end();
  };
  lv.readable = has(status, "READ");
  // LVM writes WRITE_LOCKED instead of WRITE to hide the permission from older versions.
  lv.writable = has(status, "WRITE") || has(flags, "WRITE_LOCKED");
  lv.visible = has(status, "VISIBLE");
  lv.fixed_minor = has(status, "FIXED_MINOR");
  lv.activation_skip = has(flags, "ACTIVATION_SKIP");
  const auto mark = [&](const std::vector<std::string>& list, std::string_view flag, LvMark as) {
    if (has(list, flag)) lv.marks.add(as);
  };
  mark(status, "PVMOVE", LvMark::kPvmove);
  mark(status, "LOCKED", LvMark::kLocked);
  mark(status, "NOTSYNCED", LvMark::kNotSynced);
  mark(status, "WRITEMOSTLY", LvMark::kWritemostly);
  mark(flags, "CACHE_VOL", LvMark::kCacheVolume);
  // LVM identifies the spare in the same way: the text has no flag for it.
  if (!lv.visible && lv.name.contains("_pmspare")) lv.marks.add(LvMark::kPoolSpare);
  return read.finish();
}

// Sorts the segments. True if they cover the extents from 0 on without gaps.
bool are_gapless(std::vector<Segment>& segments) {
  std::ranges::sort(segments, {}, &Segment::start);
  std::uint64_t next = 0;
  for (const Segment& segment : segments) {
    if (segment.start != next) return false;
    next += segment.extents;
  }
  return true;
}

// The kind of a volume. Only plain volumes and mirrors can have several segments; a volume that is
// being moved has both kinds.
Result<LvKind> common_kind(const ConfigSection& section, std::span<const Segment> segments) {
  LvKind kind = segments.front().kind;
  for (const Segment& segment : segments) {
    const bool joined = segment.kind != LvKind::kPlain && segment.kind != LvKind::kMirror;
    if (segments.size() > 1 && joined)
      return fail(Code::kUnimplemented, "{}: a {} volume has several segments", section.path(),
                  segment.type);
    if (segment.kind != LvKind::kPlain) kind = segment.kind;
  }
  return kind;
}

void add_segment(const Segment& segment, LvMetadata& lv) {
  lv.size.value += segment.extents - segment.reshape_extents;
  lv.marks.add_all(segment.marks);
  lv.on.insert(lv.on.end(), segment.on.begin(), segment.on.end());
}

Status read_segments(const ConfigSection& section, PvTable& pvs, ParsedLv& parsed) {
  std::vector<Segment>& segments = parsed.segments;
  for (const auto& [key, child] : section.sections()) {
    auto segment = parse_segment(child, pvs);
    if (!segment) return std::unexpected(segment.error());
    segments.push_back(*std::move(segment));
  }
  const auto count = section.number("segment_count");
  if (!count) return std::unexpected(count.error());
  if (segments.empty() || segments.size() != *count || !are_gapless(segments))
    return fail(Code::kUnimplemented, "{}: the segments do not cover the whole volume",
                section.path());
  const auto kind = common_kind(section, segments);
  if (!kind) return std::unexpected(kind.error());

  LvMetadata& lv = parsed.lv;
  const Segment& first = segments.front();
  lv.kind = *kind;
  lv.segment_type = first.type;
  lv.stripes = first.stripes;
  lv.pool = first.pool;
  lv.origin = first.origin;
  lv.images = first.images;
  lv.raid_metadata = first.raid_metadata;
  lv.zeroes_blocks = first.zeroes_blocks;
  lv.used_pool = first.transaction_id != 0;
  lv.transaction_id = first.transaction_id;
  lv.has_messages = first.has_messages;
  for (const Segment& segment : segments) add_segment(segment, lv);
  std::ranges::sort(lv.on);
  lv.on.erase(std::ranges::unique(lv.on).begin(), lv.on.end());
  // Only the name identifies a cache that LVM is detaching.
  if (lv.kind == LvKind::kCache && lv.name.contains("_corig")) lv.marks.add(LvMark::kPendingDelete);
  return {};
}

}  // namespace

Result<ParsedLv> parse_lv(std::string_view name, const ConfigSection& section, PvTable& pvs) {
  ParsedLv parsed;
  LvMetadata& lv = parsed.lv;
  lv.name = name;
  FieldReader read;
  lv.id = read.take(parse_id(section));
  lv.tags = read.take(section.texts("tags"));
  std::ranges::sort(lv.tags);
  lv.allocation = allocation_letter(read.take(section.text_or_empty("allocation_policy")));
  if (auto complete = read.finish(); !complete) return std::unexpected(complete.error());
  if (auto flags = read_flags(section, lv); !flags) return std::unexpected(flags.error());
  if (auto segments = read_segments(section, pvs, parsed); !segments)
    return std::unexpected(segments.error());
  return parsed;
}

}  // namespace lvmd::metadata
