// A file as `restic ls` tells of it, and as it is on a volume.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvmd::transfers::mover {

struct FileNode {
  std::string path;
  // The type's bits (S_IFMT) of st_mode; 0 for one that isn't restored (a socket).
  mode_t type = 0;
  // The other bits.
  mode_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  // Of a regular file.
  std::optional<std::uint64_t> size;
  std::int64_t mtime_seconds = 0;
  std::int64_t mtime_nanoseconds = 0;

  friend bool operator==(const FileNode&, const FileNode&) = default;
};

// A line of `ls --json`; absent for one that tells of no file.
[[nodiscard]] std::optional<FileNode> parse_node(std::string_view line);

// RFC 3339 with a fraction of up to 9 digits, as Go writes it.
struct FileTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  friend bool operator==(const FileTime&, const FileTime&) = default;
};
[[nodiscard]] std::optional<FileTime> parse_time(std::string_view text);

// What differs, as a phrase: "mode 0644 instead of 0600"; absent when nothing does. Modes of
// symbolic links don't count.
[[nodiscard]] std::optional<std::string> difference(const FileNode& node, const struct stat& found);

// The name had bytes that are no UTF-8, which `ls` replaces: it can't be looked for.
[[nodiscard]] bool has_replaced_bytes(std::string_view path);

}  // namespace lvmd::transfers::mover
