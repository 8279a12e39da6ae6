// Rules for the arguments of a mount: target, options and file system [P-MOUNT-2, P-MOUNT-4,
// P-MOUNT-5]. Pure. Targets and options of kubelet: kubelet_target.hpp, csi_options.hpp.
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

// The file system that a blank CSI volume gets if the request names none.
inline constexpr std::string_view kDefaultFileSystem = "ext4";

// The options that apply to a bind mount, and the options that apply to the whole file system.
inline constexpr std::array<std::string_view, 4> kPlaceOptions{"noatime", "nodiratime", "relatime",
                                                               "noexec"};
inline constexpr std::array<std::string_view, 4> kFileSystemOptions{"lazytime", "sync", "dirsync",
                                                                    "discard"};

inline constexpr std::size_t kMaxTargetLength = 4000;

// A parsed mount target.
struct MountPlace {
  // One of the roots.
  std::string root;
  // The names of the folders below the root, at least one.
  std::vector<std::string> parts;

  friend bool operator==(const MountPlace&, const MountPlace&) = default;
};

// The absolute path of a place.
[[nodiscard]] std::string path_of(const MountPlace& place);

// The parts of an absolute path, empty ones too: "/a//b/" has the parts "a", "", "b", "".
[[nodiscard]] std::vector<std::string> path_parts(std::string_view path);

// True for an absolute path other than "/" that has no empty, "." or ".." parts. A mount root must
// be a plain path [P-CFG-50].
[[nodiscard]] bool is_plain_path(std::string_view path);

// True if `path` is strictly below `folder`. Both must be plain paths.
[[nodiscard]] bool is_below(std::string_view path, std::string_view folder);

// These functions return InvalidArgument if the value breaks a rule. The message names `field`, the
// value and the rule.
[[nodiscard]] Result<MountPlace> check_mount_target(std::string_view field, std::string_view target,
                                                    std::span<const std::string> roots);
[[nodiscard]] Status check_target_length(std::string_view field, std::string_view target);
[[nodiscard]] Status check_file_system(std::string_view field, std::string_view type);
[[nodiscard]] Status check_mount_option(std::string_view field, std::string_view option);

}  // namespace lvmd::model
