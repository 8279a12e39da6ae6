#include "lvmd/transfers/mover/file_node.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::transfers::mover {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<std::string_view, mode_t>, 6> kTypes{{{"file", S_IFREG},
                                                                     {"dir", S_IFDIR},
                                                                     {"symlink", S_IFLNK},
                                                                     {"dev", S_IFBLK},
                                                                     {"chardev", S_IFCHR},
                                                                     {"fifo", S_IFIFO}}};
// Bits of Go's fs.FileMode.
constexpr std::uint64_t kGoSetuid = 1U << 23U;
constexpr std::uint64_t kGoSetgid = 1U << 22U;
constexpr std::uint64_t kGoSticky = 1U << 20U;

template <typename Number>
Number number_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<Number>() : Number{};
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

mode_t mode_of(std::uint64_t go) {
  auto mode = static_cast<mode_t>(go & 0777U);
  if ((go & kGoSetuid) != 0) mode |= S_ISUID;
  if ((go & kGoSetgid) != 0) mode |= S_ISGID;
  if ((go & kGoSticky) != 0) mode |= S_ISVTX;
  return mode;
}

// Parses a number of exactly `count` digits and removes it from the text.
std::optional<std::int64_t> digits(std::string_view& text, std::size_t count) {
  const auto number = parse_number<std::int64_t>(text.substr(0, count));
  if (text.size() < count || !number || *number < 0 || text.front() == '-') return std::nullopt;
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Nanoseconds of ".123"; 0 when there is no fraction.
std::int64_t fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  std::int64_t nanoseconds = 0;
  std::int64_t unit = 100'000'000;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    nanoseconds += (text.front() - '0') * unit;
    unit /= 10;
    text.remove_prefix(1);
  }
  return nanoseconds;
}

// Returns the offset from UTC in seconds.
std::optional<std::int64_t> zone(std::string_view& text) {
  if (take(text, 'Z')) return 0;
  const std::int64_t sign = text.starts_with('-') ? -1 : 1;
  if (!take(text, '-') && !take(text, '+')) return std::nullopt;
  const auto hours = digits(text, 2);
  if (!hours || !take(text, ':')) return std::nullopt;
  const auto minutes = digits(text, 2);
  if (!minutes) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<FileTime> parse_time(std::string_view text) {
  // "2024-01-31T12:34:56": the year, and five numbers of two digits after these marks.
  constexpr std::string_view kMarks = "--T::";
  std::array<std::int64_t, 6> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && !take(text, kMarks[i - 1])) return std::nullopt;
    const auto number = digits(text, i == 0 ? 4 : 2);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  const auto [year, month, day, hour, minute, second] = numbers;
  const std::int64_t nanoseconds = fraction(text);
  const auto offset = zone(text);
  if (!offset || !text.empty()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(year)},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return FileTime{.seconds = days * 86400 + hour * 3600 + minute * 60 + second - *offset,
                  .nanoseconds = nanoseconds};
}

std::optional<FileNode> parse_node(std::string_view line) {
  const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return std::nullopt;
  // Newer versions of restic also write "message_type".
  if (text_of(object, "struct_type") != "node" && text_of(object, "message_type") != "node")
    return std::nullopt;
  FileNode node{.path = text_of(object, "path"),
                .mode = mode_of(number_of<std::uint64_t>(object, "mode")),
                .uid = number_of<std::uint32_t>(object, "uid"),
                .gid = number_of<std::uint32_t>(object, "gid")};
  const std::string type = text_of(object, "type");
  for (const auto& [name, bits] : kTypes)
    if (type == name) node.type = bits;
  if (node.type == S_IFREG) node.size = number_of<std::uint64_t>(object, "size");
  const auto time = parse_time(text_of(object, "mtime"));
  if (node.path.empty() || !time) return std::nullopt;
  node.mtime_seconds = time->seconds;
  node.mtime_nanoseconds = time->nanoseconds;
  return node;
}

std::optional<std::string> difference(const FileNode& node, const struct stat& found) {
  if ((found.st_mode & S_IFMT) != node.type)
    return fmt::format("type {:o} instead of {:o}", found.st_mode & S_IFMT, node.type);
  const mode_t mode = found.st_mode & 07777U;
  if (node.type != S_IFLNK && mode != node.mode)
    return fmt::format("mode {:04o} instead of {:04o}", mode, node.mode);
  if (found.st_uid != node.uid || found.st_gid != node.gid)
    return fmt::format("owner {}:{} instead of {}:{}", found.st_uid, found.st_gid, node.uid,
                       node.gid);
  if (node.size && static_cast<std::uint64_t>(found.st_size) != *node.size)
    return fmt::format("size {} instead of {}", found.st_size, *node.size);
  if (found.st_mtim.tv_sec != node.mtime_seconds || found.st_mtim.tv_nsec != node.mtime_nanoseconds)
    return fmt::format("time {}.{:09} instead of {}.{:09}", found.st_mtim.tv_sec,
                       found.st_mtim.tv_nsec, node.mtime_seconds, node.mtime_nanoseconds);
  return std::nullopt;
}

bool has_replaced_bytes(std::string_view path) { return path.contains("\xEF\xBF\xBD"); }

}  // namespace lvmd::transfers::mover
