// Files that are complete after a power failure.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::directory {

// The content. OutOfRange when it is larger than `limit` bytes; InvalidArgument when it is not a
// regular file. `directory` is the descriptor that a relative name starts from, or AT_FDCWD. Links
// are followed.
[[nodiscard]] Result<std::string> read_file(int directory, const std::string& name,
                                            std::size_t limit);

// Replaces the file atomically: readers see either the old or the new content. The new content is
// on disk when this returns OK. Mode 0644 [R-STAT-3].
[[nodiscard]] Status replace_file(const std::filesystem::path& path, std::string_view content);

// OK also when the file does not exist. The removal is on disk when this returns OK.
[[nodiscard]] Status remove_file(const std::filesystem::path& path);

}  // namespace lvmd::reconciler::directory
