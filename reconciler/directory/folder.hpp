// What the folder of manifests holds at one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/manifest.hpp"

namespace lvmd::reconciler::directory {

// Made in the folder at the first start; without it, the folder may be the empty place that
// something else should be mounted on [R-DIR-5].
inline constexpr const char* kMarkerFile = ".lvmd-reconciler";

// Which directory a path led to.
struct FolderIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  // When the directory was made, in nanoseconds since the epoch; 0: its file system doesn't say.
  std::uint64_t born = 0;

  friend bool operator==(const FolderIdentity&, const FolderIdentity&) = default;
};

// By when it was made: that outlives reboots and mounts, and no copy has it. Where it is not known,
// by inode and device, of which an anonymous device number (btrfs, overlay, NFS) means nothing, for
// it is another one after each mount [R-DIR-5].
[[nodiscard]] bool is_same_folder(const FolderIdentity& a, const FolderIdentity& b);

struct FolderReading {
  // Set when the folder itself can't be read: the rest is empty then.
  std::optional<Error> unreadable;
  FolderIdentity identity;
  bool has_marker = false;
  // Manifest files, readable or not [R-DIR-1].
  std::size_t file_count = 0;
  std::vector<Manifest> manifests;
  std::vector<FileProblem> problems;
  // Files with documents of other kinds.
  std::vector<std::string> skipped_in;
};

// Everything is read through one descriptor, so all of it is of one directory, whatever is renamed
// or mounted meanwhile.
[[nodiscard]] FolderReading read_folder(const std::string& path);

// Makes the marker unless it is there.
[[nodiscard]] Status make_marker(const std::string& path);

}  // namespace lvmd::reconciler::directory
