// What a mount may be asked for, checked before anything runs: where it may be, which options and
// file systems there are [P-MOUNT-2, P-MOUNT-4, P-MOUNT-5]. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::model {

inline constexpr std::array<std::string_view, 3> kFileSystems{"ext4", "xfs", "btrfs"};

// Those that a bind mount can have, then those of the file system as a whole.
inline constexpr std::array<std::string_view, 4> kPlaceOptions{"noatime", "nodiratime", "relatime",
                                                               "noexec"};
inline constexpr std::array<std::string_view, 4> kFileSystemOptions{"lazytime", "sync", "dirsync",
                                                                    "discard"};

inline constexpr std::size_t kMaxTargetLength = 4000;

// A target, taken apart.
struct MountPlace {
  // One of the roots.
  std::string root;
  // The folders below it, at least one.
  std::vector<std::string> parts;

  friend bool operator==(const MountPlace&, const MountPlace&) = default;
};

// An absolute path without empty parts, "." and "..", and not "/". A root is one [P-CFG-50].
[[nodiscard]] bool is_plain_path(std::string_view path);

// Whether `path` lies strictly below `folder`; both are plain paths.
[[nodiscard]] bool is_below(std::string_view path, std::string_view folder);

// The three functions answer InvalidArgument that names `field`, the value and the rule.
[[nodiscard]] Result<MountPlace> check_mount_target(std::string_view field, std::string_view target,
                                                    std::span<const std::string> roots);
[[nodiscard]] Status check_file_system(std::string_view field, std::string_view type);
[[nodiscard]] Status check_mount_option(std::string_view field, std::string_view option);

}  // namespace lvmd::model
