// Where YAML's idea of a scalar's type matters.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::directory {

// The text is well-formed UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view text);

// The scalar is a string: quoted, or text that YAML takes for no number, boolean or null.
[[nodiscard]] bool is_string(const YAML::Node& node);

// Emits text so that it is read back as a string, quoted only where that needs it.
void emit_string(YAML::Emitter& out, const std::string& text);

// The one mapping in `text`. InvalidArgument, with the line, when it is anything else.
[[nodiscard]] Result<YAML::Node> parse_mapping(const std::string& text);

// The field as a string; "" when it is absent or null. InvalidArgument naming the field and the
// value when it is something else.
[[nodiscard]] Result<std::string> string_field(const YAML::Node& mapping, const std::string& field,
                                               std::string_view path);

// A short rendering of any node, for messages.
[[nodiscard]] std::string quote(const YAML::Node& node);

// The line of the first piece of text that yaml-cpp neither takes into a document nor refuses, such
// as a ',' or ']' that nothing has opened; absent when there is none. Ask before YAML::LoadAll: on
// such text it makes empty documents until memory ends. YAML::ParserException for text that is
// refused.
[[nodiscard]] std::optional<int> line_of_stray_text(const std::string& text);

}  // namespace lvmd::reconciler::directory
