// The content of the folder of manifests at one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/manifest.hpp"

namespace lvmd::reconciler::directory {

// The first start creates it in the folder. A folder without it may be an empty mount point
// [R-DIR-5].
inline constexpr const char* kMarkerFile = ".lvmd-reconciler";

// The identity of the directory at a path.
struct FolderIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  // When the directory was created, in nanoseconds since the epoch; 0: the file system does not
  // report it.
  std::uint64_t born = 0;

  friend bool operator==(const FolderIdentity&, const FolderIdentity&) = default;
};

// Compares the times of creation: they survive reboots and mounts, and a copy has another one.
// Where a time is unknown, compares inode and device. Anonymous device numbers (btrfs, overlay,
// NFS) are ignored, because they change with each mount [R-DIR-5].
[[nodiscard]] bool is_same_folder(const FolderIdentity& a, const FolderIdentity& b);

struct FolderReading {
  // Set when the folder itself cannot be read. The other fields are empty then.
  std::optional<Error> unreadable;
  FolderIdentity identity;
  bool has_marker = false;
  // The number of manifest files, readable or not [R-DIR-1].
  std::size_t file_count = 0;
  std::vector<Manifest> manifests;
  std::vector<FileProblem> problems;
  // Files with documents of other kinds.
  std::vector<std::string> skipped_in;
};

// Reads everything through one descriptor, so all of it is from one directory, even if another one
// is renamed or mounted there meanwhile.
[[nodiscard]] FolderReading read_folder(const std::string& path);

// Creates the marker unless it exists.
[[nodiscard]] Status make_marker(const std::string& path);

}  // namespace lvmd::reconciler::directory
