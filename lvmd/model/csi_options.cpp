#include "lvmd/model/csi_options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "lvmd/base/parse_number.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::model {
namespace {

constexpr std::string_view kMountFlags = "volume_capability.mount.mount_flags";

// The kernel refuses a longer interval: INT_MAX jiffies, at 1,000 a second.
constexpr std::uint64_t kMaxCommitSeconds = 2'147'483;
// All options together must fit the page that mount(2) takes.
constexpr std::size_t kMaxContextLength = 1'000;
constexpr std::uint64_t kKibi = 1024;

// A number as the kernel reads it. Without leading zeros, because it reads "010" as octal.
std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  if (text.starts_with('0')) return std::nullopt;
  return parse_number<std::uint64_t>(text);
}

bool is_between(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const auto number = parse_decimal(text);
  return number && *number >= least && *number <= most;
}

// True for a power of two of bytes, written with or without one of the units k, m and g.
bool is_size_between(std::string_view text, std::uint64_t least, std::uint64_t most) {
  constexpr std::string_view kUnits = "kmgKMG";
  std::uint64_t unit = 1;
  if (const std::size_t found = text.empty() ? std::string_view::npos : kUnits.find(text.back());
      found != std::string_view::npos) {
    for (std::size_t i = 0; i <= found % 3; ++i) unit *= kKibi;
    text.remove_suffix(1);
  }
  const auto number = parse_decimal(text);
  if (!number || *number > most / unit) return false;
  const std::uint64_t size = *number * unit;
  return size >= least && std::has_single_bit(size);
}

bool is_compression(std::string_view text) {
  if (text == "zlib" || text == "lzo" || text == "zstd") return true;
  if (text.starts_with("zlib:")) return is_between(text.substr(5), 1, 9);
  return text.starts_with("zstd:") && is_between(text.substr(5), 1, 15);
}

bool is_commit_interval(std::string_view text) { return is_between(text, 1, kMaxCommitSeconds); }

// An option of one type of file system.
struct TypeOption {
  std::string_view fs_type;
  // The name of the option, and "=VALUES" if it has a value.
  std::string_view form;
  // Null: it has no value.
  bool (*accepts)(std::string_view value) = nullptr;

  [[nodiscard]] std::string_view name() const { return form.substr(0, form.find('=')); }
};

constexpr std::array kTypeOptions{
    TypeOption{"ext4", "data=ordered|journal|writeback",
               [](std::string_view value) {
                 return value == "ordered" || value == "journal" || value == "writeback";
               }},
    TypeOption{"ext4", "commit=1..2147483", is_commit_interval},
    // Without "panic", by which one damaged volume would stop all pods of the node.
    TypeOption{"ext4", "errors=remount-ro|continue",
               [](std::string_view value) { return value == "remount-ro" || value == "continue"; }},
    TypeOption{"ext4", "barrier"},
    TypeOption{"ext4", "nobarrier"},
    TypeOption{"ext4", "journal_checksum"},
    TypeOption{"xfs", "allocsize=4k..1g",
               [](std::string_view value) {
                 return is_size_between(value, 4 * kKibi, kKibi * kKibi * kKibi);
               }},
    TypeOption{"xfs", "logbufs=2..8",
               [](std::string_view value) { return is_between(value, 2, 8); }},
    TypeOption{
        "xfs", "logbsize=16k..256k",
        [](std::string_view value) { return is_size_between(value, 16 * kKibi, 256 * kKibi); }},
    TypeOption{"xfs", "largeio"},
    TypeOption{"xfs", "swalloc"},
    TypeOption{"btrfs", "compress=zlib[:1..9]|lzo|zstd[:1..15]", is_compression},
    TypeOption{"btrfs", "compress-force=zlib[:1..9]|lzo|zstd[:1..15]", is_compression},
    TypeOption{"btrfs", "ssd"},
    TypeOption{"btrfs", "nossd"},
    TypeOption{"btrfs", "autodefrag"},
    TypeOption{"btrfs", "commit=1..2147483", is_commit_interval},
    TypeOption{"btrfs", "space_cache=v2", [](std::string_view value) { return value == "v2"; }},
};

// Of each row, an option excludes the others.
constexpr std::array<std::array<std::string_view, 3>, 6> kExclusive{{
    {"ro", "rw"},
    {"noatime", "relatime", "strictatime"},
    {"discard", "nodiscard"},
    {"barrier", "nobarrier"},
    {"compress", "compress-force"},
    {"ssd", "nossd"},
}};

// One option.
struct Flag {
  explicit Flag(std::string_view option) : text(option) {
    const std::size_t equals = text.find('=');
    name = text.substr(0, equals);
    if (equals != std::string_view::npos) value = text.substr(equals + 1);
  }

  std::string_view text;
  std::string_view name;
  std::optional<std::string_view> value{};
};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

bool exclude_each_other(std::string_view name, std::string_view other) {
  return name == other || std::ranges::any_of(kExclusive, [&](const auto& row) {
           return contains(row, name) && contains(row, other);
         });
}

template <typename... Args>
Failure wrong_flag(const Flag& flag, fmt::format_string<Args...> rule, Args&&... args) {
  return fail(Code::kInvalidArgument, "{}: \"{}\" {}", kMountFlags, flag.text,
              fmt::format(rule, std::forward<Args>(args)...))
      .because(reason::kInvalidMountOption)
      .about(kMountFlags, flag.text);
}

Failure unknown_flag(const Flag& flag, std::string_view fs_type) {
  std::vector<std::string_view> allowed;
  const auto add = [&allowed](const auto& options) {
    std::ranges::copy(options, std::back_inserter(allowed));
  };
  add(kPlaceOptions);
  add(kCsiPlaceOptions);
  add(kFileSystemOptions);
  add(kCsiFileSystemOptions);
  for (const TypeOption& option : kTypeOptions)
    if (option.fs_type == fs_type) allowed.push_back(option.form);
  allowed.emplace_back("context=\"LABEL\"");
  return wrong_flag(flag, "is not one of {}", fmt::join(allowed, ", "));
}

// The options of file systems of a type. `flag` has the name of one of them, perhaps for another
// type.
Status check_type_option(const Flag& flag, std::string_view fs_type) {
  std::vector<std::string_view> types;
  for (const TypeOption& option : kTypeOptions) {
    if (option.name() != flag.name) continue;
    types.push_back(option.fs_type);
    if (option.fs_type != fs_type) continue;
    const bool accepted =
        option.accepts == nullptr ? !flag.value : flag.value && option.accepts(*flag.value);
    if (accepted) return {};
    if (flag.text == "errors=panic")
      return wrong_flag(flag, "would stop the whole node for one damaged volume: use {}",
                        option.form);
    return wrong_flag(flag, "must be {}", option.form);
  }
  if (types.empty()) return unknown_flag(flag, fs_type);
  return wrong_flag(flag, "is only for {}, but fs_type is \"{}\"", fmt::join(types, " and "),
                    fs_type);
}

bool is_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view{"_.:,-"}.contains(c);
}

// The SELinux context in the value of the option "context".
Result<std::string> parse_context(const Flag& flag) {
  std::string_view label = flag.value.value_or("");
  const bool quoted = label.size() >= 2 && label.starts_with('"') && label.ends_with('"');
  if (quoted) label = label.substr(1, label.size() - 2);
  if (label.empty() || label.size() > kMaxContextLength ||
      !std::ranges::all_of(label, is_label_character))
    return wrong_flag(flag,
                      "must be context=\"LABEL\" with a label of 1 to {} letters, digits, and "
                      "characters of _.:,-",
                      kMaxContextLength);
  return std::string{label};
}

// The options of a flag: at least one, which may be empty. As in mount(8), a comma between two
// quotes is part of an option.
std::vector<std::string_view> split_options(std::string_view list) {
  std::vector<std::string_view> options;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (list[at] == '"') quoted = !quoted;
    if (quoted || list[at] != ',') continue;
    options.push_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  options.push_back(list.substr(begin));
  return options;
}

// Checks whether the flag goes together with those before it.
Status check_together(const Flag& flag, const std::vector<Flag>& known) {
  const auto other = std::ranges::find_if(
      known, [&flag](const Flag& before) { return exclude_each_other(flag.name, before.name); });
  if (other == known.end()) return {};
  if (other->text == flag.text) return wrong_flag(flag, "is given twice");
  return wrong_flag(flag, "and \"{}\" exclude each other", other->text);
}

// Checks the flag alone, and adds it to the options.
Status add_flag(CsiOptions& options, const Flag& flag, std::string_view fs_type) {
  if (flag.name == "context") {
    auto context = parse_context(flag);
    if (!context) return std::unexpected(std::move(context.error()));
    options.context = std::move(*context);
    return {};
  }
  if (flag.text == "ro" || flag.text == "rw") {
    options.read_only = flag.text == "ro";
    return {};
  }
  if (contains(kPlaceOptions, flag.text) || contains(kCsiPlaceOptions, flag.text)) {
    options.place.emplace_back(flag.text);
    return {};
  }
  if (!contains(kFileSystemOptions, flag.text) && !contains(kCsiFileSystemOptions, flag.text))
    if (auto valid = check_type_option(flag, fs_type); !valid) return valid;
  options.file_system.emplace_back(flag.text);
  return {};
}

}  // namespace

Result<CsiOptions> parse_csi_options(std::span<const std::string> flags, std::string_view fs_type) {
  CsiOptions options;
  std::vector<Flag> known;
  for (const std::string& list : flags) {
    for (const std::string_view text : split_options(list)) {
      const Flag flag{text};
      if (auto valid = add_flag(options, flag, fs_type); !valid)
        return std::unexpected(std::move(valid.error()));
      if (auto valid = check_together(flag, known); !valid)
        return std::unexpected(std::move(valid.error()));
      known.push_back(flag);
    }
  }
  return options;
}

}  // namespace lvmd::model
