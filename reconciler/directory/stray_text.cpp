#include "reconciler/directory/stray_text.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <utility>

namespace lvmd::reconciler::directory {
namespace {

// Sees whether documents begin further and further on.
class Progress : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(last_, mark.pos) == mark.pos) stuck_at_line = mark.line + 1;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                YAML::anchor_t /*anchor*/, const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                  YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

  std::optional<int> stuck_at_line;

 private:
  int last_ = -1;
};

}  // namespace

std::optional<int> line_of_stray_text(const std::string& text) {
  std::istringstream stream{text};
  YAML::Parser parser{stream};
  Progress progress;
  while (!progress.stuck_at_line && parser.HandleNextDocument(progress)) continue;
  return progress.stuck_at_line;
}

}  // namespace lvmd::reconciler::directory
