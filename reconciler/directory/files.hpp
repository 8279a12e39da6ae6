// Files that survive a power cut whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::directory {

// The content. OutOfRange when it is larger than `limit` bytes; InvalidArgument when it is no
// regular file. `directory` is a descriptor that a relative name starts from, or AT_FDCWD. Links
// are followed.
[[nodiscard]] Result<std::string> read_file(int directory, const std::string& name,
                                            std::size_t limit);

// Replaces the file atomically: readers see the old or the new content whole, and when this answers
// OK the new one is on disk. Mode 0644 [R-STAT-3].
[[nodiscard]] Status replace_file(const std::filesystem::path& path, std::string_view content);

// OK also when there is no such file. The removal is on disk then.
[[nodiscard]] Status remove_file(const std::filesystem::path& path);

}  // namespace lvmd::reconciler::directory
