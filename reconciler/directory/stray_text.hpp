// Text of a YAML file that belongs to no document.
#pragma once

#include <optional>
#include <string>

namespace lvmd::reconciler::directory {

// The line of the first piece of text that yaml-cpp neither takes into a document nor refuses, such
// as a ',' or ']' that nothing has opened; absent when there is none. Ask before YAML::LoadAll: on
// such text it makes empty documents until memory ends. YAML::ParserException for text that is
// refused.
[[nodiscard]] std::optional<int> line_of_stray_text(const std::string& text);

}  // namespace lvmd::reconciler::directory
