// Detects content after the first document of a YAML text.
#pragma once

#include <optional>
#include <string>

namespace lvmd::config {

// The line (the first is 1) of content after the first document: another document, or text outside
// of documents. Absent if there is none. Throws yaml-cpp's exceptions if the text is not YAML.
[[nodiscard]] std::optional<int> line_of_second_document(const std::string& text);

}  // namespace lvmd::config
