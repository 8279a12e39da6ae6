// A file as `restic ls` reports it, and its comparison with the file on a volume.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvmd::transfers::mover {

struct FileNode {
  std::string path;
  // The file type bits (S_IFMT) of st_mode. 0 for a type that is not restored (a socket).
  mode_t type = 0;
  // The other bits of st_mode.
  mode_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  // Set for a regular file.
  std::optional<std::uint64_t> size{};
  std::int64_t mtime_seconds = 0;
  std::int64_t mtime_nanoseconds = 0;

  friend bool operator==(const FileNode&, const FileNode&) = default;
};

// Parses a line of `ls --json`. Empty for a line that does not describe a file.
[[nodiscard]] std::optional<FileNode> parse_node(std::string_view line);

// A time in the format that Go writes: RFC 3339 with a fraction of up to 9 digits.
struct FileTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  friend bool operator==(const FileTime&, const FileTime&) = default;
};
[[nodiscard]] std::optional<FileTime> parse_time(std::string_view text);

// Describes the first difference: "mode 0644 instead of 0600". Empty when there is none. Ignores
// the modes of symbolic links.
[[nodiscard]] std::optional<std::string> difference(const FileNode& node, const struct stat& found);

// Whether the name contained bytes that are not UTF-8. `ls` replaces them, so the file cannot be
// looked up.
[[nodiscard]] bool has_replaced_bytes(std::string_view path);

}  // namespace lvmd::transfers::mover
