// Whether a YAML text goes on where its first document ends.
#pragma once

#include <optional>
#include <string>

namespace lvmd::config {

// The line, counted from 1, of what follows the first document: another one, or text that belongs
// to none. Absent when nothing follows. Throws yaml-cpp's exceptions where the text is not YAML.
[[nodiscard]] std::optional<int> line_of_second_document(const std::string& text);

}  // namespace lvmd::config
