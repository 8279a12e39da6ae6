#include "lvmd/config/second_document.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

namespace lvmd::config {
namespace {

// Records where a document begins and whether it is empty.
class Observer : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { line = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { is_empty = false; }
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {
    is_empty = false;
  }
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
    is_empty = false;
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    is_empty = false;
  }
  void OnMapEnd() override {}

  int line = 1;
  bool is_empty = true;
};

}  // namespace

// Does not use YAML::LoadAll: on a stray ',' or ']' it creates empty documents until memory is
// exhausted.
std::optional<int> line_of_second_document(const std::string& text) {
  std::istringstream stream{text};
  YAML::Parser parser{stream};
  Observer first;
  Observer second;
  if (!parser.HandleNextDocument(first) || !parser.HandleNextDocument(second)) return std::nullopt;
  const bool is_at_end = !parser;
  if (second.is_empty && is_at_end) return std::nullopt;
  return second.line;
}

}  // namespace lvmd::config
