// The private tags that lvmd writes on an LV in the same commit that makes it: who owns it and what
// was asked for. An on-disk format: a meaning never changes within "lvmd.v1".
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/units.hpp"

namespace lvmd::model {

inline constexpr std::string_view kPrivateTagPrefix = "lvmd.v1:";

struct Ownership {
  std::string device_class;
  // The size at creation, after rounding to extents; later growth shows in the volume alone.
  Bytes size;
  // Empty unless the volume was made with one.
  std::string option_class;
  // Snapshots only: the source volume's name and "ro" or "rw".
  std::string source;
  std::string access_type;

  friend bool operator==(const Ownership&, const Ownership&) = default;
};

[[nodiscard]] bool is_private_tag(std::string_view tag);

// class=, size=, opt=, src=, access=: those that have a value, in this order, each with the prefix.
[[nodiscard]] std::vector<std::string> to_tags(const Ownership& ownership);

// Absent when there is no class= and size= tag: not made by lvmd. Unknown private tags are ignored.
[[nodiscard]] std::optional<Ownership> ownership_of(std::span<const std::string> tags);

// "restore" of "lvmd.v1:restore=tuesday"; empty unless it is a private tag with a value.
[[nodiscard]] std::string_view private_key(std::string_view tag);

// A private tag that may be set and cleared after the volume was made [P-TAG-6]: "lvmd.v1:", a key
// of 1 to 32 small letters, '=', a value, with the characters and the length that a tag can have.
// InvalidArgument for anything else, and for the tags of Ownership.
[[nodiscard]] Status check_mark(std::string_view tag);

// The mark that a restore has begun, or was completed, on a volume [P-TAG-7].
[[nodiscard]] std::string restore_begun_tag(std::string_view id);
[[nodiscard]] std::string restore_completed_tag(std::string_view id);
// The id of the restore that has begun, or was completed; absent without such a mark.
[[nodiscard]] std::optional<std::string_view> restore_begun(std::span<const std::string> tags);
[[nodiscard]] std::optional<std::string_view> restore_completed(std::span<const std::string> tags);

inline constexpr std::string_view kOwnerKey = "owner";
// The longest owner, in characters.
inline constexpr std::size_t kMaxOwner = 256;
// The mark that says whose the volume is [P-TAG-8], and who that is; absent without such a mark.
[[nodiscard]] std::string owner_tag(std::string_view owner);
[[nodiscard]] std::optional<std::string_view> owner_of(std::span<const std::string> tags);

// The tags without the private ones, in the given order.
[[nodiscard]] std::vector<std::string> caller_tags(std::span<const std::string> tags);

}  // namespace lvmd::model
