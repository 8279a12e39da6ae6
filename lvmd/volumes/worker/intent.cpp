#include "lvmd/volumes/worker/intent.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::volumes::worker {
namespace {

constexpr std::string_view kFormat = "lvmd.intent.v";
constexpr std::string_view kFirstLine = "lvmd.intent.v1";
constexpr std::string_view kLastLine = "end";
// One call makes two or three commits; the rest is for changes made by hand since the crash.
constexpr std::uint64_t kMostCommits = 100;

using Kind = Intent::Kind;
constexpr std::array<std::pair<Kind, std::string_view>, 5> kKinds{{
    {Kind::kCreate, "create"},
    {Kind::kSnapshot, "snapshot"},
    {Kind::kResize, "resize"},
    {Kind::kRemove, "remove"},
    {Kind::kUndo, "undo"},
}};

std::optional<Kind> kind_of(std::string_view name) {
  for (const auto& [kind, kind_name] : kKinds)
    if (kind_name == name) return kind;
  return std::nullopt;
}

// The version in the first line, if it is later than this program's. The rest of the text may have
// any format.
std::optional<std::uint64_t> later_version(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (!line.starts_with(kFormat) || line.size() == text.size()) return std::nullopt;
  const auto version = parse_number<std::uint64_t>(line.substr(kFormat.size()));
  return version && *version > 1 ? version : std::nullopt;
}

// The lines between the first and the last line; absent if the first or the last line is missing.
std::optional<std::map<std::string, std::string, std::less<>>> read_lines(std::string_view text) {
  std::map<std::string, std::string, std::less<>> values;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (std::exchange(first, false)) {
      if (line != kFirstLine) return std::nullopt;
      continue;
    }
    if (line == kLastLine) return text.empty() ? std::optional{values} : std::nullopt;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    values.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Kind kind) {
  for (const auto& [known, name] : kKinds)
    if (known == kind) return name;
  return "?";
}

bool Intent::is_about(const model::LogicalVolume& lv) const {
  return lv_id.empty() ? model::ownership_of(lv.tags) == ownership : lv.id == lv_id;
}

bool Intent::is_recent(const model::VolumeGroup& group) const {
  return group.seqno >= seqno && group.seqno - seqno <= kMostCommits;
}

std::string to_text(const Intent& intent) {
  return fmt::format(
      "{}\nkind={}\nvolume={}\nvg-id={}\nseqno={}\nlv-id={}\nclass={}\nsize={}\nopt={}\nsrc={}\n"
      "access={}\n{}\n",
      kFirstLine, to_string(intent.kind), intent.volume, intent.vg_id, intent.seqno, intent.lv_id,
      intent.ownership.device_class, intent.ownership.size.value, intent.ownership.option_class,
      intent.ownership.source, intent.ownership.access_type, kLastLine);
}

Result<Intent> intent_from_text(std::string_view text) {
  const auto damaged = [](std::string_view what) {
    return fail(Code::kInternal, "the record is damaged: missing or invalid {}", what);
  };
  const auto newer = [](std::string_view what) {
    return fail(Code::kFailedPrecondition,
                "a newer lvmd wrote the record ({}): start that version again to finish the change",
                what);
  };
  if (const auto version = later_version(text))
    return newer(fmt::format("{}{}", kFormat, *version));
  const auto lines = read_lines(text);
  if (!lines) return damaged("lines");
  const auto value = [&lines](std::string_view key) {
    const auto found = lines->find(key);
    return found == lines->end() ? std::string{} : found->second;
  };
  const auto kind = kind_of(value("kind"));
  if (value("kind").empty()) return damaged("kind");
  // The text is complete, so the record is not damaged.
  if (!kind) return newer(fmt::format("kind={}", value("kind")));
  const auto seqno = parse_number<std::uint64_t>(value("seqno"));
  if (!seqno) return damaged("seqno");
  const auto size = parse_number<std::uint64_t>(value("size"));
  if (!size) return damaged("size");
  Intent intent{.kind = *kind,
                .volume = value("volume"),
                .vg_id = value("vg-id"),
                .seqno = *seqno,
                .lv_id = value("lv-id"),
                .ownership = {.device_class = value("class"),
                              .size = {*size},
                              .option_class = value("opt"),
                              .source = value("src"),
                              .access_type = value("access")}};
  if (intent.volume.empty()) return damaged("volume");
  if (intent.vg_id.empty()) return damaged("vg-id");
  return intent;
}

}  // namespace lvmd::volumes::worker
