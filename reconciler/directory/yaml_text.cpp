#include "reconciler/directory/yaml_text.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>

#include "lvmd/base/utf8.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxQuoted = 60;

// Text that yaml-cpp's converters, and other YAML 1.1 readers, take for another type.
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

// Detects documents that begin where the one before began.
class Progress : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(last_, mark.pos) == mark.pos) stuck_at_line = mark.line + 1;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

  std::optional<int> stuck_at_line;

 private:
  int last_ = -1;
};

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

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

void put(YAML::Emitter& out, const char* field, const std::string& text) {
  out << YAML::Key << field << YAML::Value;
  emit_string(out, text);
}

Result<YAML::Node> parse_mapping(const std::string& text) {
  try {
    const YAML::Node node = YAML::Load(text);
    if (!node.IsMap()) return fail(Code::kInvalidArgument, "not a YAML mapping");
    return Result<YAML::Node>{node};
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

std::optional<int> line_of_stray_text(const std::string& text) {
  std::istringstream stream{text};
  YAML::Parser parser{stream};
  Progress progress;
  while (!progress.stuck_at_line && parser.HandleNextDocument(progress)) continue;
  return progress.stuck_at_line;
}

}  // namespace lvmd::reconciler::directory
