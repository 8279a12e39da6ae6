#include "lvmd/metadata/lv_parser.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "lvmd/metadata/fields.hpp"
#include "lvmd/metadata/segment_parser.hpp"

namespace lvmd::metadata {
namespace {

constexpr std::array<std::string_view, 4> kStatus{"READ", "WRITE", "VISIBLE", "FIXED_MINOR"};
constexpr std::array<std::string_view, 4> kFlags{"ACTIVATION_SKIP", "NOAUTOACTIVATE",
                                                 "ERROR_WHEN_FULL", "WRITE_LOCKED"};

// lvs(8)'s letters. A policy that LVM doesn't know counts as inherited there too.
char allocation_letter(std::string_view policy) {
  if (policy == "contiguous") return 'c';
  if (policy == "cling") return 'l';
  if (policy == "cling_by_tags") return 't';
  if (policy == "normal") return 'n';
  if (policy == "anywhere") return 'a';
  return 'i';
}

Status read_flags(const ConfigSection& section, LvMetadata& lv) {
  const auto status = parse_words(section, "status", kStatus);
  if (!status) return std::unexpected(status.error());
  const auto flags = parse_words(section, "flags", kFlags);
  if (!flags) return std::unexpected(flags.error());
  const auto has = [](const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  lv.readable = has(*status, "READ");
  // WRITE_LOCKED stands for WRITE where older LVMs shall not see it.
  lv.writable = has(*status, "WRITE") || has(*flags, "WRITE_LOCKED");
  lv.visible = has(*status, "VISIBLE");
  lv.fixed_minor = has(*status, "FIXED_MINOR");
  lv.activation_skip = has(*flags, "ACTIVATION_SKIP");
  return {};
}

// Segments follow each other from extent 0 on, without gaps.
bool are_gapless(std::vector<Segment>& segments) {
  std::ranges::sort(segments, {}, &Segment::start);
  std::uint64_t next = 0;
  for (const Segment& segment : segments) {
    if (segment.start != next) return false;
    next += segment.extents;
  }
  return true;
}

Status read_segments(const ConfigSection& section, PvTable& pvs, LvMetadata& lv) {
  std::vector<Segment> segments;
  for (const auto& [key, child] : section.sections()) {
    auto segment = parse_segment(child, pvs);
    if (!segment) return std::unexpected(segment.error());
    segments.push_back(*std::move(segment));
  }
  const auto count = section.number("segment_count");
  if (!count) return std::unexpected(count.error());
  if (segments.empty() || segments.size() != *count || !are_gapless(segments))
    return fail(Code::kUnimplemented, "{}: the segments don't make a whole volume", section.path());

  Segment& first = segments.front();
  // LVM joins the segments of pools and thin volumes: a second one would mean something new.
  if (segments.size() > 1 && !std::ranges::all_of(segments, [](const Segment& segment) {
        return segment.kind == LvKind::kPlain;
      }))
    return fail(Code::kUnimplemented, "{}: a {} volume has several segments", section.path(),
                first.type);
  lv.kind = first.kind;
  lv.segment_type = std::move(first.type);
  lv.stripes = first.stripes;
  lv.pool = std::move(first.pool);
  lv.origin = std::move(first.origin);
  lv.pool_data = std::move(first.pool_data);
  lv.pool_metadata = std::move(first.pool_metadata);
  lv.zeroes_blocks = first.zeroes_blocks;
  lv.used_pool = first.used_pool;
  for (const Segment& segment : segments) {
    lv.size.value += segment.extents;
    lv.on.insert(lv.on.end(), segment.on.begin(), segment.on.end());
  }
  std::ranges::sort(lv.on);
  lv.on.erase(std::ranges::unique(lv.on).begin(), lv.on.end());
  return {};
}

}  // namespace

Result<LvMetadata> parse_lv(const std::string& name, const ConfigSection& section, PvTable& pvs) {
  LvMetadata lv;
  lv.name = name;
  auto id = parse_id(section);
  if (!id) return std::unexpected(id.error());
  lv.id = *std::move(id);
  auto tags = section.texts("tags");
  if (!tags) return std::unexpected(tags.error());
  lv.tags = *std::move(tags);
  std::ranges::sort(lv.tags);
  const auto allocation = section.text_or_empty("allocation_policy");
  if (!allocation) return std::unexpected(allocation.error());
  lv.allocation = allocation_letter(*allocation);
  if (auto read = read_flags(section, lv); !read) return std::unexpected(read.error());
  if (auto read = read_segments(section, pvs, lv); !read) return std::unexpected(read.error());
  // So LVM itself knows the spare: the text has no other mark.
  if (lv.kind == LvKind::kPlain && !lv.visible && lv.name.contains("_pmspare"))
    lv.kind = LvKind::kPoolMetadata;
  return lv;
}

}  // namespace lvmd::metadata
