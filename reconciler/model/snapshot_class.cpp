#include "reconciler/model/snapshot_class.hpp"

namespace lvmd::reconciler {

std::optional<CopyMode> parse_copy_mode(std::string_view text) {
  if (text.empty() || text == "auto") return CopyMode::kAuto;
  if (text == "files") return CopyMode::kFiles;
  if (text == "blocks") return CopyMode::kBlocks;
  return std::nullopt;
}

}  // namespace lvmd::reconciler
