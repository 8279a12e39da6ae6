// Small operations on files.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd {

// The first line, without its line break. Empty if the file cannot be read. For the files of one
// value in /proc and /sys.
[[nodiscard]] std::string first_line(const std::filesystem::path& path);

// Differs after a change of the file or folder, or when it was replaced, created or removed. For
// comparisons only.
[[nodiscard]] std::string stamp_of(const std::filesystem::path& path);

// The name of the program of a process, as ps(1) shows it: at most 15 characters. Empty if the
// process does not exist.
[[nodiscard]] std::string program_name(pid_t pid);

// Whether `path` is the name of the open file.
[[nodiscard]] bool is_named(int fd, const std::filesystem::path& path);

// Reads from the current position to the end. An Error starts with `what`.
[[nodiscard]] Result<std::string> read_all(int fd, std::string_view what);

// Reads `count` bytes at `offset`, fewer only at the end of the file.
[[nodiscard]] Result<std::string> read_at(int fd, std::uint64_t offset, std::size_t count,
                                          std::string_view what);

// Writes all bytes. An Error starts with `what`.
[[nodiscard]] Status write_all(int fd, std::string_view bytes, std::string_view what);

// The same at `offset`, for a file or a device.
[[nodiscard]] Status write_all_at(int fd, std::string_view bytes, off_t offset,
                                  std::string_view what);

}  // namespace lvmd
