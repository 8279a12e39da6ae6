// Text in YAML files: types of scalars, encoding, and text outside of documents.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::directory {

// The text is well-formed UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view text);

// The scalar is a string: quoted, or text that YAML does not take for a number, boolean or null.
[[nodiscard]] bool is_string(const YAML::Node& node);

// Emits text so that it is read as a string, with quotes only where they are needed.
void emit_string(YAML::Emitter& out, const std::string& text);

// Emits one entry of a mapping: text like emit_string(), or a number or flag.
void put(YAML::Emitter& out, const char* field, const std::string& text);
template <typename T>
  requires std::is_arithmetic_v<T>
void put(YAML::Emitter& out, const char* field, T value) {
  out << YAML::Key << field << YAML::Value << value;
}

// The single mapping in `text`. InvalidArgument, with the line, for anything else.
[[nodiscard]] Result<YAML::Node> parse_mapping(const std::string& text);

// A short text for any node, for messages.
[[nodiscard]] std::string quote(const YAML::Node& node);

// The line of the first piece of text that yaml-cpp neither adds to a document nor refuses, such as
// a ',' or ']' that was not opened; absent: there is none. Call it before YAML::LoadAll, which
// creates empty documents for such text until memory is exhausted. YAML::ParserException for text
// that yaml-cpp refuses.
[[nodiscard]] std::optional<int> line_of_stray_text(const std::string& text);

}  // namespace lvmd::reconciler::directory
