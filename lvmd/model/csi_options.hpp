// The mount options of CSI volumes: what the mountOptions of a PersistentVolume may contain. Pure.
//
// All options of MountService (mount_rules.hpp) are among them. In addition there are options of
// one type of file system, and nosuid and nodev, which MountService always sets.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::model {

// The options that all file systems have in addition to kPlaceOptions and kFileSystemOptions.
inline constexpr std::array<std::string_view, 5> kCsiPlaceOptions{"strictatime", "nosuid", "nodev",
                                                                  "ro", "rw"};
inline constexpr std::array<std::string_view, 1> kCsiFileSystemOptions{"nodiscard"};

struct CsiOptions {
  // True for "ro".
  bool read_only = false;
  // Options of each place where the volume is mounted, without "ro" and "rw".
  std::vector<std::string> place{};
  // Options of the file system, which all its places share.
  std::vector<std::string> file_system{};
  // The SELinux context of all files, without the quotes. Empty: not set.
  std::string context{};

  friend bool operator==(const CsiOptions&, const CsiOptions&) = default;
};

// Reads the field volume_capability.mount.mount_flags of a CSI request. A flag may contain several
// options, separated by commas, because mount(8) accepts that, and so does TopoLVM. A comma between
// quotes separates nothing: kubelet adds context="LABEL", and the label may have commas. `fs_type`
// is one of kFileSystems; with any other text, only the options of all file systems are accepted.
//
// InvalidArgument, naming the field and the option, if an option is empty or not allowed, belongs
// to another file system, has a wrong value, is given twice or contradicts another one.
[[nodiscard]] Result<CsiOptions> parse_csi_options(std::span<const std::string> flags,
                                                   std::string_view fs_type);

}  // namespace lvmd::model
