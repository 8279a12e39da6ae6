#include "reconciler/store/directory/yaml_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxQuoted = 60;

// What yaml-cpp's converters, and with them every YAML 1.1 reader, take for another type.
bool plain_is_string(const std::string& text) {
  const YAML::Node node{text};
  bool boolean = false;
  double number = 0;
  return !text.empty() && text != "~" && text != "null" && text != "Null" && text != "NULL" &&
         !YAML::convert<bool>::decode(node, boolean) &&
         !YAML::convert<double>::decode(node, number);
}

bool is_safe_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
         c == '/';
}

}  // namespace

bool is_string(const YAML::Node& node) {
  if (!node.IsScalar()) return false;
  // yaml-cpp's tag of a scalar without quotes.
  return node.Tag() != "?" || plain_is_string(node.Scalar());
}

void emit_string(YAML::Emitter& out, const std::string& text) {
  const bool plain = plain_is_string(text) && std::ranges::all_of(text, is_safe_plain) &&
                     std::isalnum(static_cast<unsigned char>(text.front())) != 0;
  if (!plain) out << YAML::DoubleQuoted;
  out << text;
}

Result<YAML::Node> parse_mapping(const std::string& text) {
  try {
    YAML::Node node = YAML::Load(text);
    if (node.IsMap()) return node;
    return fail(Code::kInvalidArgument, "not a YAML mapping");
  } catch (const YAML::Exception& error) {
    return fail(Code::kInvalidArgument, "not YAML: line {}: {}", error.mark.line + 1, error.msg);
  }
}

std::string quote(const YAML::Node& node) {
  if (!node) return "nothing";
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  if (!node.IsScalar()) return "null";
  const std::string& text = node.Scalar();
  if (text.size() <= kMaxQuoted) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\"", text.substr(0, kMaxQuoted));
}

Result<std::string> string_field(const YAML::Node& mapping, const std::string& field,
                                 std::string_view path) {
  const YAML::Node node = mapping[field];
  if (!node || node.IsNull()) return std::string{};
  if (!is_string(node))
    return fail(Code::kInvalidArgument, "{} must be a string, not {}", path, quote(node));
  return node.Scalar();
}

}  // namespace lvmd::reconciler::directory
