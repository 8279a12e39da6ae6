// lvmd's private tags on an LV [P-TAG]: how it was created, and marks that are set later. The tags
// are an on-disk format: within "lvmd.v1" no meaning changes. Pure.
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

// How lvmd created a volume. LVM writes these tags in the commit that creates the volume.
struct Ownership {
  std::string device_class;
  // The size at creation, rounded to extents. It does not change when the volume grows.
  Bytes size;
  // Empty: the volume was created without an option class.
  std::string option_class{};
  // Only for snapshots: the name of the source volume, and "ro" or "rw".
  std::string source{};
  std::string access_type{};

  friend bool operator==(const Ownership&, const Ownership&) = default;
};

[[nodiscard]] bool is_private_tag(std::string_view tag);

// The tags class=, size=, opt=, src= and access= in this order, each with the prefix. Tags without
// a value are left out.
[[nodiscard]] std::vector<std::string> to_tags(const Ownership& ownership);

// Absent if class= or size= is missing or invalid: the volume counts as not created by lvmd
// [P-TAG-5]. Ignores unknown private tags.
[[nodiscard]] std::optional<Ownership> ownership_of(std::span<const std::string> tags);

// The key of a private tag: "restore" for "lvmd.v1:restore=tuesday". Empty for any other tag.
[[nodiscard]] std::string_view private_key(std::string_view tag);

// Checks a mark, a private tag that can be set and cleared after the creation of the volume
// [P-TAG-6]: "lvmd.v1:", a key of 1 to 32 lower-case letters, '=' and a value. The whole tag must
// have valid characters and a valid length. InvalidArgument for any other tag, and for the tags of
// Ownership.
[[nodiscard]] Status check_mark(std::string_view tag);

// The marks for a restore that has begun, and for one that was completed [P-TAG-7].
[[nodiscard]] std::string restore_begun_tag(std::string_view id);
[[nodiscard]] std::string restore_completed_tag(std::string_view id);
// The id of the restore in such a mark; absent if there is none.
[[nodiscard]] std::optional<std::string_view> restore_begun(std::span<const std::string> tags);
[[nodiscard]] std::optional<std::string_view> restore_completed(std::span<const std::string> tags);

inline constexpr std::string_view kOwnerKey = "owner";
// The maximum length of an owner, in characters.
inline constexpr std::size_t kMaxOwner = 256;
// The mark for the owner of a volume [P-TAG-8], and the owner in such a mark; absent if there is
// none.
[[nodiscard]] std::string owner_tag(std::string_view owner);
[[nodiscard]] std::optional<std::string_view> owner_of(std::span<const std::string> tags);

// The tags without lvmd's private tags, in the given order.
[[nodiscard]] std::vector<std::string> caller_tags(std::span<const std::string> tags);

}  // namespace lvmd::model
